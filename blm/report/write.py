"""Writes a report: figures as SVG and PNG, tables as Markdown, and one HTML page with all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from blm.experiment.results import Prediction, read_results
from blm.report.findings import findings
from blm.report.select import names
from blm.report.tables import Table, all_tables
from blm.whole import whole

if TYPE_CHECKING:
    from blm.report.figures import Plot

PAGE = "index.html"
TABLES = "report.md"
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #111; background: #fff;
       max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
figure { margin: 2rem 0; } figure svg { max-width: 100%; height: auto; }
figcaption, .table + p { color: #444; max-width: 48rem; }
.table { overflow-x: auto; max-height: 36rem; overflow-y: auto; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { text-align: left; padding: .2rem .8rem; border-bottom: 1px solid #ddd;
         white-space: nowrap; }
th { position: sticky; top: 0; background: #fff; } td.n { text-align: right; }
"""


def write_report(results: Path, output: Path | None = None, *, title: str = "") -> Path:
    """Report on a folder of results; returns the page, `output/index.html`.

    `output` is the folder `report` of the results by default. FileNotFoundError where there are no
    results, ValueError where they are empty.
    """
    rows = read_results(results)
    if not rows:
        raise ValueError(f"{results} holds no prediction")
    from blm.report.figures import all_plots

    base = results if results.is_dir() else results.parent
    folder = output or base / "report"
    folder.mkdir(parents=True, exist_ok=True)
    title = title or f"Baselines: {base.resolve().name}"
    tables, plots = all_tables(rows), list(all_plots(rows))
    drawn = {plot.name: _image(plot, "svg") for plot in plots}
    for plot in plots:
        _write(folder / f"{plot.name}.png", _image(plot, "png"))
        _write(folder / f"{plot.name}.svg", drawn[plot.name])
    _write(folder / TABLES, _markdown(title, rows, tables, plots).encode())
    _write(folder / PAGE, _page(title, rows, tables, plots, drawn).encode())
    return folder / PAGE


def _markdown(
    title: str, rows: Sequence[Prediction], tables: Sequence[Table], plots: Iterable[Plot]
) -> str:
    parts = [f"# {title}", "", _summary(rows), ""]
    parts += [f"- {sentence}" for sentence in findings(rows)] + [""]
    for plot in plots:
        parts += [f"## {plot.title}", "", f"![{plot.title}]({plot.name}.svg)", "", plot.caption, ""]
    parts += ["## Tables", "", *(table.markdown() for table in tables)]
    return "\n".join(parts)


def _page(
    title: str,
    rows: Sequence[Prediction],
    tables: Sequence[Table],
    plots: Iterable[Plot],
    drawn: Mapping[str, bytes],
) -> str:
    figures = "\n".join(
        f"<h2>{escape(plot.title)}</h2>\n<figure>{_inline(plot, drawn[plot.name])}"
        f"<figcaption>{escape(plot.caption)}</figcaption></figure>"
        for plot in plots
    )
    said = "\n".join(f"<li>{escape(sentence)}</li>" for sentence in findings(rows))
    scores, *others = tables
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>{escape(title)}</h1>\n<p>{escape(_summary(rows))}</p>\n"
        f"<ul>{said}</ul>\n<h2>Results</h2>\n{scores.html()}{figures}\n"
        f"<h2>Tables</h2>\n{''.join(table.html() for table in others)}</body></html>\n"
    )


def _summary(rows: Sequence[Prediction]) -> str:
    problems = len({(row.test, row.problem) for row in rows})
    runs = len({(r.encoder, r.solver, r.train, r.size, r.seed) for r in rows})
    encoders = [name for name in names(rows, "encoder") if name]
    return (
        f"{len(rows)} answers of {runs} runs to {problems} problems. "
        f"Data: {', '.join(names(rows, 'test'))}. Encoders: {', '.join(encoders) or 'none'}. "
        f"Solvers: {', '.join(names(rows, 'solver'))}."
    )


def _image(plot: Plot, form: str) -> bytes:
    file = BytesIO()
    metadata = {"Date": None} if form == "svg" else {"Software": None}
    plot.figure.savefig(file, format=form, dpi=160, metadata=metadata)
    return file.getvalue()


def _inline(plot: Plot, drawn: bytes) -> str:
    """The SVG of a figure without its XML header, with names of its own and a title."""
    svg = drawn.decode()
    svg = svg[svg.index("<svg") :]
    for mark in ('id="', "url(#", 'href="#'):
        svg = svg.replace(mark, f"{mark}{plot.name}-")
    opened = svg.index(">") + 1
    label = f"<title>{escape(plot.title)}</title>"
    return f'{svg[: opened - 1]} role="img">{label}{svg[opened:]}'


def _write(path: Path, content: bytes) -> None:
    with whole(path) as part:
        part.write_bytes(content)
