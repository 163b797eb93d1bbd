"""What a data set will hold: its splits, and the shards that are written one by one.

Splits use different seeds, so that no sentence of one stands in another.  A shard is a range
of places in the order of its split; with a sample, that order is a shuffle of all problems.
Nothing here depends on how many workers write, or on what was written before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from blm.answers import Answers
from blm.dataset.space import NoProblems, ProblemSpace
from blm.dataset.splits import split_seeds
from blm.grammar import Grammar
from blm.problem import Json
from blm.sampling import Shuffle
from blm.variation import LexicalType
from blm.version import __version__

MOST_PROBLEMS = 50_000_000
"""Problems written where nobody asked for a number; more are a mistake, or a disk that fills."""

WHOLE = "problems"
"""The name of the one split of a data set that is not split."""


@dataclass(frozen=True)
class Options:
    """What the user asks for; together with the grammar it fixes every byte of the data set.

    `limit` takes the first problems of each split, `sample` as many at random without
    replacement, over all splits in proportion to `split`. `split` maps names to weights;
    `split_by` names a slot whose words are kept together (`verb`), else seeds are split.
    """

    type: LexicalType = LexicalType.I
    answers: Answers = Answers.NAMED
    seed: int = 0
    exclude_repeats: bool = False
    limit: int | None = None
    sample: int | None = None
    split: Mapping[str, int] = field(default_factory=dict)
    split_by: str | None = None
    shard_size: int = 25_000
    formats: Sequence[str] = ("jsonl",)

    def __post_init__(self) -> None:
        """ValueError for what is no option. Types and answer sets may be given by their names."""
        object.__setattr__(self, "type", LexicalType(self.type))
        object.__setattr__(self, "answers", Answers(self.answers))
        for name in ("limit", "sample", "shard_size"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} is a number from 1; {number} is none")

    def to_json(self) -> Json:
        """The options for the manifest."""
        return {**asdict(self), "split": dict(self.split), "formats": list(self.formats)}


@dataclass(frozen=True)
class Shard:
    """Places `start` to `stop` - 1 of a split, the `index`-th of `of` shards."""

    split: str
    index: int
    of: int
    start: int
    stop: int

    @property
    def stem(self) -> str:
        """The name of its files without suffix: `train`, or `train-00003-of-00012`."""
        return self.split if self.of == 1 else f"{self.split}-{self.index:05d}-of-{self.of:05d}"


@dataclass(frozen=True)
class Plan:
    """The splits of a data set with their spaces and sizes."""

    grammar: Grammar
    options: Options
    spaces: Mapping[str, ProblemSpace]
    sizes: Mapping[str, int]

    def shards(self) -> Iterator[Shard]:
        """The shards of all splits, in a fixed order. An empty split has one empty shard."""
        for split, size in self.sizes.items():
            starts = range(0, max(size, 1), self.options.shard_size)
            for index, start in enumerate(starts):
                stop = min(size, start + self.options.shard_size)
                yield Shard(split, index, len(starts), start, stop)

    def numbers(self, split: str, start: int, stop: int) -> list[int]:
        """The numbers of the problems at these places of a split."""
        if self.options.sample is None:
            return list(range(start, stop))
        shuffle = Shuffle(self.spaces[split].count, self.options.seed)
        return [shuffle[place] for place in range(start, stop)]

    def fingerprint(self) -> str:
        """A hash of all that fixes the bytes: grammar files, options, version."""
        return sha256(json.dumps(self.identity(), sort_keys=True).encode()).hexdigest()

    def identity(self) -> Json:
        """What fixes the bytes, as a manifest says it too."""
        return {"blm": __version__, "options": self.options.to_json(), "grammar": self.hashes()}

    def is_of(self, manifest: Json) -> bool:
        """Whether a manifest is that of this plan."""
        own = self.identity()
        return bool({key: manifest.get(key) for key in own} == json.loads(json.dumps(own)))

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of each file of the grammar, by name."""
        return {path.name: sha256(path.read_bytes()).hexdigest() for path in self.grammar.files()}


def make_plan(grammar: Grammar, options: Options) -> Plan:
    """Settle splits and sizes.

    Raises NoProblems, saying why, where there is nothing to write, and ValueError for options
    that contradict each other or name a slot that is not there.
    """
    _check_options(grammar, options)
    seeds = (
        split_seeds(grammar, options.split, options.split_by, options.seed)
        if options.split
        else {WHOLE: None}
    )
    spaces = make_spaces(grammar, options, seeds)
    for name, space in spaces.items():
        if space.count == 0:
            raise NoProblems(_why_none(space, name))
    return Plan(grammar, options, spaces, _sizes(spaces, options))


def _check_options(grammar: Grammar, options: Options) -> None:
    if options.answers is Answers.BALANCED and options.exclude_repeats:
        raise ValueError(
            "balanced answer sets are whole: without the answers that the context holds they "
            "would not be balanced; leave one of the two options out, or take type II or III"
        )
    if options.split_by is None:
        return
    if not options.split:
        raise ValueError("'split by' says how a data set is split: add the shares of its splits")
    slots = dict.fromkeys(slot for seed in grammar.lexicon.seeds for slot in seed.words)
    if options.split_by not in slots:
        raise ValueError(
            f"the seeds have no slot '{options.split_by}'; slots are {', '.join(slots)}"
        )


def check_size(plan: Plan) -> None:
    """Refuse to write more than anybody wants who did not say how many. ValueError."""
    total = sum(plan.sizes.values())
    if total > MOST_PROBLEMS and plan.options.limit is None and plan.options.sample is None:
        raise ValueError(
            f"there are {total:,} problems: say how many to write, as --sample 100000 "
            "(at random, none twice) or --limit 100000 (the first ones)"
        )


def make_spaces(
    grammar: Grammar, options: Options, seeds: Mapping[str, Sequence[str] | None]
) -> dict[str, ProblemSpace]:
    """The space of each split, with its seeds (all, if None)."""
    return {
        name: ProblemSpace(
            grammar,
            options.type,
            options.answers,
            options.seed,
            options.exclude_repeats,
            chosen,
        )
        for name, chosen in seeds.items()
    }


def _why_none(space: ProblemSpace, split: str) -> str:
    where = "" if split == WHOLE else f" in the split '{split}'"
    if space.grammar.count() == 0:
        return "the phenomenon has no matrix"
    sentences = space.grammar.phenomenon.shape.size
    match space.type:
        case LexicalType.I:
            return f"there is no seed{where}"
        case LexicalType.II if space.wordings.slot is None:
            return (
                "type II varies one slot: add `vary SLOT within KIND` to the seeds of the grammar"
            )
        case LexicalType.II:
            return (
                f"type II needs {sentences} different words in the slot "
                f"'{space.wordings.slot}'{where}, one for each sentence; there are fewer"
                + _larger(split)
            )
        case LexicalType.III:
            needed = f"type III needs {sentences} seeds, one for each sentence"
        case LexicalType.III_OWN:
            needed = (
                f"type III-own needs a seed for each of {sentences - 1} sentences of the context "
                "and for each answer"
            )
    there = len(space.grammar.lexicon.seeds if space.seeds is None else space.seeds)
    return f"{needed}; there are {there}{where}{_larger(split) or ': add seeds'}"


def _larger(split: str) -> str:
    """What to do where a split is too small."""
    return "" if split == WHOLE else ": give it a larger share, or write fewer splits"


def _sizes(spaces: Mapping[str, ProblemSpace], options: Options) -> dict[str, int]:
    """The number of problems of each split."""
    weights = dict(options.split) or {WHOLE: 1}
    sizes = {}
    for name, space in spaces.items():
        size = space.count
        if options.sample is not None:
            size = min(size, options.sample * weights[name] // sum(weights.values()))
        if options.limit is not None:
            size = min(size, options.limit)
        sizes[name] = size
    return sizes
