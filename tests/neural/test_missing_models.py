"""A model that is not on this machine is told before anything is run."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import toy
from typer.testing import CliRunner

from blm.cli import app
from blm.encode import MissingModel, load_encoder
from blm.encode.encoder import find_encoder
from blm.experiment import ExperimentConfig
from blm.experiment.config import EncoderChoice, SolverChoice, Source
from blm.experiment.run import run_experiment

TINY = {"hidden": 16, "layers": 1, "heads": 2, "steps": 2, "vocabulary": 200}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `bert`, an encoder, and `gpt`, a language model, that have learned nothing."""
    pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")
    from blm.encode.mlm import EncoderConfig, train_encoder

    folder = tmp_path_factory.mktemp("models")
    train_encoder([f"sentence {n} here" for n in range(20)], folder / "bert", EncoderConfig(**TINY))
    toy.write_gpt(folder / "gpt")
    return folder


@pytest.fixture
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blm.encode.huggingface._hub_answers", lambda: False)


@pytest.fixture
def config(tmp_path: Path, models: Path) -> ExperimentConfig:
    """An experiment with an encoder, one of its own, and a language model, in copied folders."""
    shutil.copytree(models, tmp_path / "models")
    data = toy.write(tmp_path / "xx", toy.records(40))
    return ExperimentConfig(
        name="models",
        data=(Source(name="xx", path=data),),
        encoders=(
            EncoderChoice(name=str(tmp_path / "models" / "bert")),
            EncoderChoice(name="mine", train=TINY),
        ),
        networks=(),
        references=("nearest-context",),
        solvers=(SolverChoice(name=str(tmp_path / "models" / "gpt"), limit=2),),
        seeds=(1,),
    )


@pytest.mark.usefixtures("no_hub")
def test_all_models_that_are_missing_are_told_before_a_run(
    config: ExperimentConfig, tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "models" / "bert")
    (tmp_path / "models" / "gpt" / "model.safetensors").unlink()
    choices = (EncoderChoice(name="nobody/no-model"), *reversed(config.encoders))
    begun: list[str] = []
    with pytest.raises(MissingModel) as caught:
        run_experiment(
            replace(config, encoders=choices),
            tmp_path / "out",
            cache=tmp_path / "cache",
            progress=lambda _done, _total, name: begun.append(name),
        )
    assert caught.value.missing == {
        "nobody/no-model": "it is not in the cache of models, and the hub cannot be reached",
        str(tmp_path / "models" / "bert"): "there is no such folder",
        str(tmp_path / "models" / "gpt"): "the folder has no weights",
    }
    told = str(caught.value)
    assert told.count("is not on this machine: ") == 3
    assert told.count("hf download nobody/no-model\n") == 1
    assert told.count("encoders that need no download:") == 1
    assert begun == []
    assert list((tmp_path / "out").iterdir()) == []
    assert not (tmp_path / "cache").exists()


@pytest.mark.usefixtures("no_hub")
def test_finished_runs_need_no_model(config: ExperimentConfig, tmp_path: Path) -> None:
    out = run_experiment(config, tmp_path / "out", cache=tmp_path / "cache")
    runs = {path: path.read_bytes() for path in (out / "runs").iterdir()}
    assert len(runs) == 3
    shutil.rmtree(tmp_path / "models")
    run_experiment(config, out, cache=tmp_path / "cache")
    assert {path: path.read_bytes() for path in (out / "runs").iterdir()} == runs
    # One run to go: only its model is asked for.
    for run, missing in (("bert.", "bert"), ("gpt", "gpt")):
        (path,) = (path for path in runs if path.name.startswith(run))
        path.unlink()
        with pytest.raises(MissingModel) as caught:
            run_experiment(config, out, cache=tmp_path / "cache")
        assert set(caught.value.missing) == {str(tmp_path / "models" / missing)}
        path.write_bytes(runs[path])


@pytest.mark.usefixtures("no_hub")
def test_commands_name_the_missing_models(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is not there is no model of the hub, wherever the command is run."""
    toy.write(tmp_path / "in" / "xx", toy.records(20))
    (tmp_path / "in" / "e.toml").write_text(
        'encoders = ["./no-bert"]\nsolvers = ["./no-gpt", "gpt"]\n[[data]]\npath = "xx"\n'
    )
    for place, file in ((tmp_path / "in", "e.toml"), (tmp_path, "in/e.toml")):
        monkeypatch.chdir(place)
        result = CliRunner().invoke(app, ["train", file, "-o", "out"])
        assert (result.exit_code, result.stdout) == (1, "")
        beside = Path(file).parent
        for name in ("no-bert", "no-gpt"):
            message = (
                f"the model './{beside / name}' is not on this machine: there is no such folder"
            )
            assert message in result.stderr
        assert result.stderr.count("hf download") == 2
        assert "hf download gpt\n" in result.stderr
        assert "Traceback" not in result.stderr


WEIGHTS = "model.safetensors"


def cut(folder: Path, *, lose: bool) -> None:
    """Make weights of one file into two parts with an index, or into one that is not all."""
    import safetensors.torch

    tensors = safetensors.torch.load_file(folder / WEIGHTS)
    (folder / WEIGHTS).unlink()
    names = sorted(tensors)
    parts = {"model-1.safetensors": names[::2], "model-2.safetensors": names[1::2]}
    for part, held in parts.items():
        chosen = {name: tensors[name] for name in held}
        safetensors.torch.save_file(chosen, folder / part, {"format": "pt"})
    where = {name: part for part, held in parts.items() for name in held}
    index = {"metadata": {}, "weight_map": where}
    (folder / f"{WEIGHTS}.index.json").write_text(json.dumps(index))
    if lose:
        (folder / "model-2.safetensors").unlink()


@pytest.mark.usefixtures("no_hub")
@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("lost", ["", "config.json", WEIGHTS, "tokenizer*", "parts", "a part"])
def test_looking_and_loading_agree(
    lost: str, cached: bool, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder as in the cache of the hub."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    commit = "0123456789" * 4
    store = tmp_path / "models--some--bert"
    folder = store / "snapshots" / commit
    shutil.copytree(models / "bert", folder)
    (store / "refs").mkdir()
    (store / "refs" / "main").write_text(commit)
    name = "some/bert" if cached else str(folder)
    for path in folder.glob(lost) if lost and "part" not in lost else ():
        path.unlink()
    if "part" in lost:
        cut(folder, lose=lost == "a part")
    if lost in ("", "parts"):
        find_encoder(name)
        assert load_encoder(name).encode(["sentence 1 here"]).shape == (1, 16)
        return
    with pytest.raises(MissingModel) as looked:
        find_encoder(name)
    with pytest.raises(MissingModel) as loaded:
        load_encoder(name)
    assert looked.value.missing == loaded.value.missing


def test_the_hub_is_asked_for_what_is_not_here(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from blm.encode import huggingface

    asked: list[bool] = []

    def config_file(name: str, *, local: bool) -> Path:
        asked.append(local)
        if local or name == "some/nothing":
            raise OSError(f"{name} is not a valid model identifier\nand so on")
        return models / "bert" / "config.json"

    monkeypatch.setattr(huggingface, "_hub_answers", lambda: True)
    monkeypatch.setattr(huggingface, "_config_file", config_file)
    find_encoder("some/bert")
    assert asked == [True, False]
    with pytest.raises(MissingModel) as caught:
        find_encoder("some/nothing")
    reason = "some/nothing is not a valid model identifier"
    assert caught.value.missing == {"some/nothing": reason}


def test_where_the_cache_fails_the_hub_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files may be there and yet not be all that a model is made of."""
    pytest.importorskip("transformers", reason="transformers is missing")
    from blm.encode import huggingface

    asked: list[bool] = []

    def fail(_name: str, *, local_files_only: bool) -> None:
        asked.append(local_files_only)
        raise OSError(f"no file, {local_files_only}")

    monkeypatch.setattr(huggingface, "find_model", lambda _name: True)
    monkeypatch.setattr("transformers.AutoModel.from_pretrained", fail)
    for answers, ways in ((True, [True, False]), (False, [True])):
        asked.clear()
        monkeypatch.setattr(huggingface, "_hub_answers", lambda answers=answers: answers)
        with pytest.raises(MissingModel, match=f"no file, {ways[-1]}"):
            huggingface.load_model("some/bert", "AutoModel")
        assert asked == ways
