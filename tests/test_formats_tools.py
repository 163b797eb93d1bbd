"""What other people's programs make of our files."""

from ast import literal_eval
from pathlib import Path
from types import ModuleType

import pytest
from making import EVERY, FRENCH, SPRAY, hostile, make

from blm.dataset import jsonl
from blm.dataset.lm_eval import SHOTS

pytestmark = pytest.mark.filterwarnings("default")  # theirs are not ours


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Hugging Face `datasets`, without a network and with a cache of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_CACHE", str(tmp_path_factory.mktemp("cache")))
        return pytest.importorskip("datasets")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three splits in several shards."""
    made = tmp_path_factory.mktemp("data") / "set"
    split = {"train": 80, "dev": 10, "test": 10}
    make(made, FRENCH, formats=EVERY, split=split, shard_size=700)
    return made


def both(folder: Path, split: str) -> list:
    return [
        record for path in sorted(folder.glob(f"{split}*.jsonl")) for record in jsonl.read(path)
    ]


def load_dataset(datasets: ModuleType, folder: Path, cache: Path, *names: str, **options):
    return datasets.load_dataset(*names or (str(folder),), cache_dir=str(cache), **options)


def test_datasets_finds_the_splits(datasets: ModuleType, folder: Path, tmp_path: Path) -> None:
    found = load_dataset(datasets, folder, tmp_path)
    assert list(found) == ["train", "dev", "test"]
    for split in found:
        assert found[split].to_list() == both(folder, split)


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_datasets_loads_each_format(datasets: ModuleType, form: str, tmp_path: Path) -> None:
    made = tmp_path / "set"
    make(made, SPRAY, formats=[form], sample=40)
    found = load_dataset(datasets, made, tmp_path / "cache")["problems"]
    assert len(found) == 40
    assert {"Sent_1", "context"} & set(found.column_names)


def test_datasets_skips_an_empty_split(datasets: ModuleType, tmp_path: Path) -> None:
    made = tmp_path / "set"
    make(made, FRENCH, formats=["parquet"], sample=4, split={"train": 90, "test": 10})
    found = load_dataset(datasets, made, tmp_path / "cache")
    assert {split: len(found[split]) for split in found} == {"train": 3}


def test_croissant_is_valid_and_finds_the_records(folder: Path) -> None:
    croissant = pytest.importorskip("mlcroissant")
    found = croissant.Dataset(jsonld=folder / "croissant.json")
    assert not found.metadata.ctx.issues.errors
    stems = [record_set.uuid for record_set in found.metadata.record_sets]
    assert stems == [path.stem for split in ("train", "dev", "test")
                     for path in sorted(folder.glob(f"{split}*.parquet"))]  # fmt: skip
    expected = list(jsonl.read(folder / f"{stems[0]}.jsonl"))
    records = list(found.records(stems[0]))
    assert len(records) == len(expected)
    for record, known in zip(records[:20], expected, strict=False):
        assert record[f"{stems[0]}/id"].decode() == known["id"]
        assert record[f"{stems[0]}/answer"] == known["answer"]
        texts = [
            c[f"{stems[0]}/candidates/text"].decode() for c in record[f"{stems[0]}/candidates"]
        ]
        assert texts == [c["text"] for c in known["candidates"]]


def test_croissant_of_hostile_words_is_valid(tmp_path: Path) -> None:
    croissant = pytest.importorskip("mlcroissant")
    (tmp_path / "grammar").mkdir()
    make(tmp_path / "set", hostile(tmp_path / "grammar"))
    found = croissant.Dataset(jsonld=tmp_path / "set" / "croissant.json")
    assert not found.metadata.ctx.issues.errors


# --- lm-evaluation-harness ----------------------------------------------------------


def task(folder: Path, shots: str = "") -> dict:
    yaml = pytest.importorskip("yaml")

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda _loader, node: node.value)
    (path,) = folder.glob(f"lm_eval/*_i{shots}.yaml")
    return yaml.load(path.read_text(encoding="utf-8"), Loader)


def test_the_tasks_say_what_to_test(folder: Path) -> None:
    zero, few = task(folder), task(folder, f"_{SHOTS}shot")
    assert zero["task"] == "blm_agreement_fr_i"
    assert zero["output_type"] == "multiple_choice"
    assert (zero["test_split"], zero["fewshot_split"], zero["num_fewshot"]) == ("test", "train", 0)
    assert few == {
        "include": "blm_agreement_fr_i.yaml",
        "task": f"blm_agreement_fr_i_{SHOTS}shot",
        "num_fewshot": SHOTS,
    }


def test_the_prompt_shows_the_context_and_asks_for_the_rest(tmp_path: Path) -> None:
    jinja = pytest.importorskip("jinja2")
    (tmp_path / "grammar").mkdir()
    make(tmp_path / "set", hostile(tmp_path / "grammar"), formats=["jsonl", "lm-eval"])
    zero = task(tmp_path / "set")
    for record in jsonl.read(tmp_path / "set" / "problems.jsonl"):
        prompt = jinja.Template(zero["doc_to_text"]).render(**record)
        context = [sentence["text"] for sentence in record["context"]]
        assert prompt == "".join(f"{k}. {t}\n" for k, t in enumerate(context, 1)) + "2."
        choices = jinja.Template(zero["doc_to_choice"]).render(**record)
        assert literal_eval(choices) == [c["text"] for c in record["candidates"]]
        assert record["candidates"][record[zero["doc_to_target"]]]["correct"]


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_the_loader_finds_the_data_from_anywhere(
    datasets: ModuleType, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "set"
    make(made, FRENCH, formats=[form, "lm-eval"], split={"train": 80, "test": 20}, shard_size=900)
    moved = made.rename(tmp_path / "moved")
    monkeypatch.chdir("/")
    names: dict = {"__file__": str(moved / "lm_eval" / "problems.py")}
    exec((moved / "lm_eval" / "problems.py").read_text(encoding="utf-8"), names)
    monkeypatch.setattr(datasets, "load_dataset", _with_cache(datasets, tmp_path / "cache"))
    found = names["load"](version=1)
    assert {split: len(found[split]) for split in found} == {"train": 2304, "test": 576}


def _with_cache(datasets: ModuleType, cache: Path):
    load = datasets.load_dataset
    return lambda *names, **options: load(*names, cache_dir=str(cache), **options)


@pytest.mark.slow
def test_the_harness_runs_the_tasks_with_a_tiny_model(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run once by hand, with torch 2.13.0 and lm_eval 0.4.13: 0- and 3-shot, 60 problems each."""
    pytest.importorskip("lm_eval")
    pytest.importorskip("torch")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    _tiny_model(tmp_path / "model")
    from lm_eval import evaluator
    from lm_eval.tasks import TaskManager

    found = evaluator.simple_evaluate(
        model="hf",
        model_args=f"pretrained={tmp_path / 'model'}",
        tasks=["blm_agreement_fr_i", f"blm_agreement_fr_i_{SHOTS}shot"],
        task_manager=TaskManager(include_path=str(folder / "lm_eval"), include_defaults=False),
        limit=4,
        device="cpu",
    )
    assert all(0 <= told["acc,none"] <= 1 for told in found["results"].values())
    assert len(found["results"]) == 2


def _tiny_model(folder: Path) -> None:
    """A language model that knows nothing, with a tokeniser of bytes."""
    tokenizers, transformers = (
        pytest.importorskip("tokenizers"),
        pytest.importorskip("transformers"),
    )
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate(["<end>", *alphabet])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(words, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<end>", bos_token="<end>", pad_token="<end>"
    ).save_pretrained(folder)
    config = transformers.GPT2Config(
        vocab_size=len(words), n_positions=4096, n_embd=16, n_layer=1, n_head=1,
        bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
