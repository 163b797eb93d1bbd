"""How a data set was made, as people would do it again."""

from __future__ import annotations

from blm.dataset.plan import Options, Plan

_SPLITS = (("train", "test"), ("train", "dev", "test"))
"""The splits that the command line can ask for."""


def command(plan: Plan) -> str | None:
    """The command that makes this data set; None if only Python can, as with other splits.

    The grammar is named by its file alone, so that the text is the same everywhere.
    """
    options = plan.options
    if options.split and tuple(options.split) not in _SPLITS:
        return None
    parts = ["blm generate", plan.grammar.files()[1].name, "--output DIR"]
    return " ".join([*parts, *_arguments(options)])


def _arguments(options: Options) -> list[str]:
    """What differs from the defaults, and the type and the seed in any case."""
    usual = Options()
    found = [f"--type {options.type}"]
    if options.answers != usual.answers:
        found.append(f"--answers {options.answers}")
    found += [f"--format {name}" for name in options.formats]
    if options.split:
        found.append(f"--split {':'.join(map(str, options.split.values()))}")
    if options.split_by is not None:
        found.append(f"--split-by {options.split_by}")
    if options.limit is not None:
        found.append(f"--limit {options.limit}")
    if options.sample is not None:
        found.append(f"--sample {options.sample}")
    if options.exclude_repeats:
        found.append("--exclude-repeats")
    if options.shard_size != usual.shard_size:
        found.append(f"--shard-size {options.shard_size}")
    return [*found, f"--seed {options.seed}"]
