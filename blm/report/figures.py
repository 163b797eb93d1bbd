"""The figures of a report. Greys and hatches, so that they read the same in black and white."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import cycle

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blm.experiment.results import Prediction
from blm.report.drawing import LINES, draw_bars, draw_legend, grid, whisker
from blm.report.select import at_home, families_of, labels_of, names, networks, whole
from blm.report.stats import accuracy, chance, estimate, group
from blm.report.tables import FAMILIES, natural


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure with the name of its file, and what it shows in words."""

    name: str
    title: str
    caption: str
    figure: Figure

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        self.figure.savefig(file, format="png", dpi=100)
        return file.getvalue()


def all_plots(rows: Sequence[Prediction]) -> Iterator[Plot]:
    """The figures that the rows give something for."""
    for size in ("all", "equal"):
        chosen = [row for row in networks(rows) if row.size == size]
        if chosen:
            yield train_test(rows, chosen, size)
    left_out = "equal" if whole(networks(rows)) == "all" else ""
    curves = [row for row in networks(rows) if row.train == row.test and row.size != left_out]
    if any(len(sizes) > 1 for sizes in _sizes(curves).values()):
        yield learning_curves(curves)
    home = networks(at_home(rows))
    if home:
        yield errors_by_label(home)
        yield errors_by_family(home)
        yield errors_by_matrix(home)
        yield errors_by_seed(home)


def train_test(rows: Sequence[Prediction], chosen: Sequence[Prediction], size: str) -> Plot:
    """F1 by test set and training set, a panel for each encoder and network."""
    lines, solvers = group(chosen, lambda r: (r.encoder, r.test_language)), names(chosen, "solver")
    most = max(len(names(found, "test")) for found in lines.values())
    figure, panels = grid(len(lines), len(solvers), wide=most)
    for ((encoder, language), found), row in zip(lines.items(), panels, strict=True):
        references = [r for r in rows if r.kind == "reference" and r.encoder == encoder]
        for solver, axes in zip(solvers, row, strict=True):
            part = [r for r in found if r.solver == solver]
            _train_test_panel(axes, part, references, names(chosen, "train"))
            axes.set_title(f"{solver}, {language}\n{encoder}", fontsize="medium")
    draw_legend(figure, panels)
    amount = "all training problems" if size == "all" else "equally many training problems"
    return Plot(
        f"train-test-{size}",
        f"Training set by test set, {amount}",
        "F1 on each test set by the set trained on; bars are means over runs, whiskers the "
        "95 % interval of the mean. Lines across a group: chance (dotted), and the candidate "
        "nearest to the others, which needs no context (dashed).",
        figure,
    )


def _train_test_panel(
    axes: Axes,
    part: Sequence[Prediction],
    references: Sequence[Prediction],
    order: Sequence[str],
) -> None:
    tests, trains = names(part, "test"), names(part, "train")
    cells = group(part, lambda row: (row.train, row.test))
    draw_bars(
        axes,
        tests,
        {
            f"trained on {train}": [
                whisker(cells[train, test]) if (train, test) in cells else (np.nan, np.nan, np.nan)
                for test in tests
            ]
            for train in trains
        },
        [f"trained on {train}" for train in order],
    )
    for place, test in enumerate(tests):
        here = [row for row in part if row.test == test]
        axes.hlines(chance(here), place - 0.45, place + 0.45, colors="0", linestyles=":")
        near = [r for r in references if r.test == test and r.solver == "nearest-candidates"]
        if near:
            axes.hlines(accuracy(near), place - 0.45, place + 0.45, colors="0", linestyles="--")
    axes.set_ylim(0, 1)
    axes.set_xlabel("tested on")
    axes.set_ylabel("F1 (0 to 1)")


def learning_curves(rows: Sequence[Prediction]) -> Plot:
    """F1 over the number of training problems, a panel for each encoder and data set."""
    lines = group(rows, lambda r: (r.encoder, r.test_language))
    most = max(len(names(found, "test")) for found in lines.values())
    figure, panels = grid(len(lines), most, wide=3)
    for ((encoder, _), found), line in zip(lines.items(), panels, strict=True):
        for (train, part), axes in zip(group(found, lambda r: r.train).items(), line, strict=False):
            _curves(axes, part, names(rows, "solver"))
            axes.set_title(f"{train}\n{encoder}", fontsize="medium")
    draw_legend(figure, panels)
    return Plot(
        "learning-curves",
        "Learning curves",
        "F1 on the test part of the data set trained on, over the number of training problems; "
        "means over runs, whiskers the 95 % interval of the mean.",
        figure,
    )


def _curves(axes: Axes, part: Sequence[Prediction], order: Sequence[str]) -> None:
    """A line for each network; `order` lists those of all panels."""
    for solver, found in group(part, lambda r: r.solver).items():
        line, marker = LINES[order.index(solver) % len(LINES)]
        sizes = sorted(group(found, lambda r: r.train_size).items())
        estimates = [estimate(runs) for _, runs in sizes]
        axes.errorbar(
            [size for size, _ in sizes],
            [e.mean for e in estimates],
            [[e.mean - e.low for e in estimates], [e.high - e.mean for e in estimates]],
            color="0",
            linestyle=line,
            marker=marker,
            markerfacecolor="1" if marker in "s^" else "0.4",
            capsize=2,
            label=solver,
        )
    axes.axhline(chance(part), color="0.5", linestyle=":", label="chance")
    axes.set_xscale("log")
    ticks = sorted({row.train_size for row in part})
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(0, 1)
    axes.set_xlabel("training problems (log scale)")
    axes.set_ylabel("F1 (0 to 1)")


def errors_by_label(rows: Sequence[Prediction]) -> Plot:
    """Which wrong answers the networks choose, a panel for each data set."""
    labels = [label for label in labels_of(rows) if label != "correct"]

    def share(label: str) -> Callable[[Sequence[Prediction]], float]:
        return lambda run: sum(row.label == label for row in run) / len(run)

    def random(label: str, found: Sequence[Prediction]) -> float:
        return sum(row.labels.count(label) / len(row.labels) for row in found) / len(found)

    return Plot(
        "errors-by-label",
        "Errors by label",
        "The share of answers with each wrong label; means over runs, whiskers the 95 % interval "
        "of the mean, dotted lines a choice at random.",
        _errors(rows, labels, share, random, "label of the answer chosen"),
    )


def errors_by_family(rows: Sequence[Prediction]) -> Plot:
    """The families of rules that the networks' answers break."""
    families = families_of(rows)

    def share(name: str) -> Callable[[Sequence[Prediction]], float]:
        return lambda run: sum(name in row.families for row in run) / len(run)

    titles = [f"{name}\n({FAMILIES.get(name, '?')})" for name in families]
    return Plot(
        "errors-by-family",
        "Errors by family of rules",
        "The share of answers that break a rule of each family: external (E), internal (I), "
        "relational (R); means over runs, whiskers the 95 % interval of the mean.",
        _errors(rows, families, share, None, "family of the rule broken", titles),
    )


def _errors(
    rows: Sequence[Prediction],
    keys: Sequence[str],
    share: Callable[[str], Callable[[Sequence[Prediction]], float]],
    random: Callable[[str, Sequence[Prediction]], float] | None,
    what: str,
    titles: Sequence[str] | None = None,
) -> Figure:
    lines = group(rows, lambda r: (r.encoder, r.test_language))
    most = max(len(names(found, "test")) for found in lines.values())
    figure, panels = grid(len(lines), most, wide=len(keys))
    top = 0.0
    for ((encoder, _), part), line in zip(lines.items(), panels, strict=True):
        for (test, here), axes in zip(group(part, lambda r: r.test).items(), line, strict=False):
            bars = {
                solver: [whisker(found, share(key)) for key in keys]
                for solver, found in group(here, lambda r: r.solver).items()
            }
            draw_bars(axes, titles or keys, bars, names(rows, "solver"))
            top = max([top, *(high for bar in bars.values() for _, _, high in bar)])
            for place, key in enumerate(keys):
                if random is not None:
                    level = random(key, here)
                    axes.hlines(level, place - 0.45, place + 0.45, colors="0", linestyles=":")
            axes.set_title(f"{test}, {encoder}", fontsize="medium")
            axes.set_xlabel(what)
            axes.set_ylabel("share of answers (0 to 1)")
    for axes in panels.flat:
        axes.set_ylim(0, min(max(top * 1.1, 0.05), 1))
    draw_legend(figure, panels)
    return figure


def errors_by_matrix(rows: Sequence[Prediction]) -> Plot:
    """Errors for each matrix of the phenomenon."""
    return Plot(
        "errors-by-matrix",
        "Errors by matrix",
        "The share of wrong answers for each matrix, over all runs; a mark for each network.",
        _strip(rows, lambda row: (row.matrix,), "matrix"),
    )


def errors_by_seed(rows: Sequence[Prediction]) -> Plot:
    """Errors for each lexical seed."""
    return Plot(
        "errors-by-seed",
        "Errors by lexical seed",
        "The share of wrong answers over the lexical seeds, from the easiest to the hardest, over "
        "all runs; a mark for each network. A problem counts for each of its seeds.",
        _strip(
            rows,
            lambda row: tuple(dict.fromkeys(row.seeds)),
            "lexical seed (line of the table of seeds)",
            by_value=True,
        ),
    )


def _strip(
    rows: Sequence[Prediction],
    keys: Callable[[Prediction], tuple[str, ...]],
    what: str,
    *,
    by_value: bool = False,
) -> Figure:
    tests = names(rows, "test")
    figure, panels = grid(len(tests), 1, wide=12)
    for test, line in zip(tests, panels, strict=True):
        axes: Axes = line[0]
        wrong: dict[str, dict[str, list[bool]]] = {}
        for row in rows:
            if row.test == test:
                for key in keys(row):
                    wrong.setdefault(key, {}).setdefault(row.solver, []).append(not row.correct)
        everything = {key: [w for part in by.values() for w in part] for key, by in wrong.items()}
        order = sorted(wrong, key=lambda key: natural([key]))
        if by_value:
            order.sort(key=lambda key: sum(everything[key]) / len(everything[key]))
        for solver, (_, marker) in zip(names(rows, "solver"), cycle(LINES), strict=False):
            places = [place for place, key in enumerate(order) if solver in wrong[key]]
            values = [np.mean(wrong[order[place]][solver]) for place in places]
            face = "0.4" if marker in "oD" else "none"
            axes.plot(places, values, marker, color="0", markerfacecolor=face, label=solver)
        labels = [key.rpartition(":")[2] for key in order]
        axes.set_xticks(range(len(order)), labels, rotation=90, fontsize="x-small")
        axes.set_ylim(-0.03, 1.03)
        axes.grid(axis="x", color="0.9", linewidth=0.6)
        axes.set_xlabel(what)
        axes.set_ylabel("share wrong (0 to 1)")
        axes.set_title(test, fontsize="medium")
    draw_legend(figure, panels)
    return figure


def _sizes(rows: Sequence[Prediction]) -> dict[tuple[str, str, str], set[int]]:
    found = group(rows, lambda r: (r.encoder, r.solver, r.train))
    return {key: {row.train_size for row in part} for key, part in found.items()}
