"""Commands about lexicons: import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blm.cli.common import amount, complain, reported

app = typer.Typer(name="lexicon", help="Words and seeds: import them from other files.")


@app.command("import")
def import_(
    fragments: Annotated[
        Path, typer.Argument(metavar="FILE", help="A fragments.csv of the task's authors.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the grammar goes.")
    ],
    language: Annotated[str, typer.Option(help="fr, it, en, ro.")],
    of: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The phenomenon; by default agreement.blm."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files in DIR.")] = False,
) -> None:
    """Turn the phrases of a fragments file into a grammar with word and seed tables."""
    from blm.importing import import_fragments

    with reported():
        found = import_fragments(fragments, output, language=language, of=of, force=force)
    for diagnostic in found.diagnostics:
        complain(diagnostic.render())
    print(f"{found.grammar}: {amount(found.seeds, 'seed')}")
    if found.diagnostics:
        print(f"  {amount(len(found.diagnostics), 'cell')} to look at, listed above")
