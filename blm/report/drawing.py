"""How figures are drawn: greys and hatches, so that they read the same in black and white."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blm.experiment.results import Prediction
from blm.report.stats import estimate

# Unlike in grey value and in hatch; the first for what stands first.
_FILLS = (("0.25", ""), ("0.85", "//"), ("0.55", ""), ("1.0", ".."), ("0.7", "xx"), ("0.95", "--"))
LINES = (("-", "o"), ("--", "s"), (":", "^"), ("-.", "D"), ((0, (6, 1, 1, 1)), "v"))
_PANEL = (3.6, 2.9)


def grid(rows: int, columns: int, *, wide: int) -> tuple[Figure, Any]:
    """A figure with a grid of axes, as an array (rows, columns)."""
    matplotlib.rcParams["svg.hashsalt"] = "blm"
    width = _PANEL[0] * max(1.0, min(wide / 4, 2.0)) * columns
    figure = Figure(figsize=(max(width, 4.5), _PANEL[1] * rows + 0.5), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


Bar = tuple[float, float, float]
"""A height, and where its whisker begins and ends."""


def draw_bars(
    axes: Axes,
    groups: Sequence[str],
    bars: Mapping[str, Sequence[Bar]],
    order: Sequence[str],
) -> None:
    """Grouped bars with whiskers; `bars` is name -> a bar for each group.

    `order` lists the names of all panels, so that a name looks the same in each.
    """
    width = 0.8 / max(len(bars), 1)
    for number, (name, values) in enumerate(bars.items()):
        grey, hatch = _FILLS[order.index(name) % len(_FILLS)]
        places = np.arange(len(groups)) + (number - (len(bars) - 1) / 2) * width
        axes.bar(
            places,
            [mean for mean, _, _ in values],
            width,
            yerr=np.array([(mean - low, high - mean) for mean, low, high in values]).T,
            color=grey,
            hatch=hatch,
            edgecolor="0",
            linewidth=0.6,
            capsize=2,
            label=name,
        )
    lines = [line for name in groups for line in name.splitlines()]
    long = max(map(len, lines), default=0) * len(groups) > 40
    axes.set_xticks(
        range(len(groups)),
        list(groups),
        rotation=30 if long else 0,
        ha="right" if long else "center",
        rotation_mode="anchor",
    )


def whisker(
    rows: Sequence[Prediction], measure: Callable[[Sequence[Prediction]], float] | None = None
) -> Bar:
    """The mean of a measure (F1) over runs and its 95 % interval: a bar and its whisker."""
    found = estimate(rows) if measure is None else estimate(rows, measure)
    return found.mean, found.low, found.high


def draw_legend(figure: Figure, panels: Any) -> None:
    """One legend for all panels, below them; panels without data go."""
    entries: dict[str, Any] = {}
    for axes in panels.flat:
        if not axes.has_data():
            axes.set_visible(False)
            continue
        for spine in ("top", "right"):
            axes.spines[spine].set_visible(False)
        handles, labels = axes.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    if len(entries) > 1:
        figure.legend(
            list(entries.values()),
            list(entries),
            loc="outside lower center",
            ncols=min(len(entries), 4),
            frameon=False,
            fontsize="small",
        )
