"""The names of the criteria, their objects, and score, which asks the core."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone

from rarewood import RareTreeClassifier, criteria
from rarewood.criteria import Alpha, Criterion

TABLE = [[8, 2], [2, 88]]


def test_names_lists_every_criterion_with_a_sentence_and_a_reference():
    table = criteria.describe()
    assert list(table) == criteria.names()
    assert set(table) == {
        "entropy", "gini", "gain_ratio", "dkm", "hellinger", "ccp_entropy", "ccp_gini",
        "ccp_counts_entropy", "ccp_counts_gini", "alpha", "ihd", "ihdw", "dcsm",
    }  # fmt: skip
    for name, about in table.items():
        assert len(about.summary.split()) > 3, name
        assert any(character.isdigit() for character in about.reference), name
        assert name in str(table)
        assert about.summary in str(table)
        assert about.reference in str(table)
        for parameter in about.parameters:
            assert parameter["summary"] in str(table)


def test_values_of_simple_tables():
    assert criteria.score("gini", [[1, 0], [0, 1]]) == pytest.approx(0.5)
    assert criteria.score("entropy", [[1, 0], [0, 1]]) == pytest.approx(np.log(2))
    assert criteria.score("hellinger", [[1, 0], [0, 999]]) == pytest.approx(np.sqrt(2))
    assert criteria.score("dcsm", [[5, 0], [3, 0]]) == pytest.approx(-np.e)


@pytest.mark.parametrize("name", criteria.names())
def test_score_takes_one_table_or_a_stack(name):
    value = criteria.score(name, TABLE)
    assert isinstance(value, float)
    stack = criteria.score(name, [TABLE, TABLE[::-1]])
    assert stack.shape == (2,)
    np.testing.assert_allclose(stack, value)
    assert criteria.score(name, np.array(TABLE, dtype=np.int32, order="F")) == value
    assert criteria.score(name, [*TABLE, [0, 0]]) == pytest.approx(value)


def test_alpha_objects_are_values():
    assert Alpha() == Alpha(0.5, "prior") == Alpha(alpha=0.5)
    assert Alpha(1) == Alpha(1.0)
    assert Alpha(0.5, "uniform") != Alpha(0.5)
    assert len({Alpha(1), Alpha(1.0), Alpha(0.5)}) == 2
    assert repr(Alpha(0.7)) == "Alpha(alpha=0.7, reference='prior')"
    for copied in (copy.deepcopy(Alpha(0.7)), pickle.loads(pickle.dumps(Alpha(0.7)))):
        assert copied == Alpha(0.7)
    with pytest.raises(AttributeError):
        Alpha().alpha = 1.0


def test_criteria_with_parameters_by_name():
    general = Criterion("alpha", alpha=0.7)
    assert general == Alpha(0.7)
    assert hash(general) == hash(Alpha(0.7))
    assert general.parameters == {"alpha": 0.7, "reference": "prior"}
    assert (general.alpha, general.reference) == (0.7, "prior")
    assert not hasattr(general, "beta")
    assert eval(repr(general), vars(criteria)) == general
    assert type(copy.deepcopy(general)) is Criterion
    assert type(pickle.loads(pickle.dumps(Alpha(0.7)))) is Alpha
    assert Criterion("gini") != Criterion("entropy")
    assert criteria.score(Criterion("gini"), TABLE) == criteria.score("gini", TABLE)
    with pytest.raises(ValueError, match="'gini' has no parameter 'alpha'"):
        Criterion("gini", alpha=0.7)
    with pytest.raises(ValueError, match="Did you mean 'hellinger'"):
        Criterion("helinger")


def test_the_name_alpha_means_the_default_object():
    assert criteria.score("alpha", TABLE) == criteria.score(Alpha(), TABLE)
    assert criteria.score(Alpha(1.0), TABLE) == pytest.approx(criteria.score("entropy", TABLE))
    assert criteria.score(Alpha(0.5), TABLE) == pytest.approx(4 * criteria.score("ihd", TABLE))


def test_infinite_values_stay_infinite():
    assert criteria.score(Alpha(0.0), [[1, 0], [1, 1]]) == np.inf
    assert criteria.score(Alpha(1.5, "complement"), [[1, 0], [1, 1]]) == np.inf


@pytest.mark.parametrize("alpha", [-0.1, 2.1, np.nan, np.inf])
def test_alpha_out_of_range_is_refused(alpha):
    with pytest.raises(ValueError, match="between 0 and 2"):
        Alpha(alpha)


@pytest.mark.parametrize("alpha", ["0.5", None, True, 1j])
def test_alpha_must_be_a_number(alpha):
    with pytest.raises(TypeError, match="number between 0 and 2"):
        Alpha(alpha)


def test_an_unknown_reference_is_refused():
    with pytest.raises(ValueError, match="'prior', 'uniform', 'complement'; got 'parent'"):
        Alpha(0.5, "parent")


def test_an_unknown_name_lists_the_names():
    with pytest.raises(
        ValueError, match=r"Unknown criterion 'helinger'. Did you mean 'hellinger'\?"
    ) as error:
        criteria.score("helinger", TABLE)
    assert all(name in str(error.value) for name in criteria.names())
    with pytest.raises(ValueError, match="ihdw"):
        RareTreeClassifier(criterion="nonsense").fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("criterion", [None, 3, Alpha, ["gini"]])
def test_what_is_not_a_criterion_is_refused(criterion):
    with pytest.raises(TypeError, match="criterion must be a name or an object"):
        RareTreeClassifier(criterion=criterion).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("children", [[[-1, 2], [3, 4]], [[np.nan, 1]], [[np.inf, 1], [1, 1]]])
def test_counts_must_be_counts(children):
    with pytest.raises(ValueError, match="finite and not negative"):
        criteria.score("gini", children)


def test_tables_have_two_dimensions():
    with pytest.raises(ValueError, match="4 dimensions"):
        criteria.score("gini", np.zeros((1, 1, 1, 1)))


def test_criterion_objects_work_as_parameters():
    model = RareTreeClassifier(criterion=Alpha(0.7))
    assert clone(model).criterion == Alpha(0.7)
    assert model.get_params()["criterion"] == Alpha(0.7)
    model.set_params(criterion=Alpha(0.3, "uniform"))
    model.fit([[0.0], [1.0]], [0, 1])
    assert model.predict([[0.0], [1.0]]).tolist() == [0, 1]
