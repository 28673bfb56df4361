"""`roborally crossplay`, as a user calls it."""

import json

import pytest

QUICK = ("--games", 4, "--seed", 3, "--max-rounds", 30, "--workers", 1, "--lighter")


def test_the_matrix_the_ratings_and_the_picture(roborally, tmp_path):
    pytest.importorskip("matplotlib")
    words = ("crossplay", "greedy", "random", *QUICK, "--out", tmp_path / "out", "--draw", tmp_path / "matrix.png")
    code, out, err = roborally(*words)
    assert code == 0
    assert out.startswith("Races won alone, 95% intervals; an equal share is 25.0%")
    assert "against 3 random" in out
    assert "Ratings: 400 points are odds of 10 to 1" in out
    assert (tmp_path / "matrix.png").exists()
    assert f"the heat map is in {tmp_path / 'matrix.png'}" in err
    code, again, _ = roborally("crossplay", "greedy", "random", *QUICK, "--json")
    assert json.loads(again) == json.loads((tmp_path / "out" / "crossplay.json").read_text())


def test_agents_stand_before_the_options(roborally):
    code, out, err = roborally("crossplay", *QUICK, "--course", "dizzy_highway", "greedy", "random")
    assert (code, out) == (2, "")
    assert err == "roborally: expected at least two agents before the options, as in crossplay greedy random\n"
