"""Where networks run, and what a result says of it."""

import platform

import pytest
import torch

from core.encoders import devices
from core.errors import InvalidSpec


def test_without_a_gpu_all_runs_on_the_processor_and_who_asks_for_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_has_gpu", lambda: False)
    assert devices.device_of("auto") == devices.device_of("cpu") == "cpu"
    with pytest.raises(InvalidSpec, match=r"must be 'auto' or 'cpu': no GPU is here\. Got 'cuda'"):
        devices.device_of("cuda")
    assert devices.machine() == f"{platform.system()} {platform.machine()}"


def test_a_gpu_is_used_unless_the_processor_is_asked_for_and_results_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_has_gpu", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "NVIDIA H200")
    assert devices.device_of("auto") == devices.device_of("cuda") == "cuda"
    assert devices.device_of("cpu") == "cpu"
    assert devices.machine().endswith(f"{platform.machine()}, NVIDIA H200")
