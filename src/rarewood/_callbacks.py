"""Callbacks of scikit-learn (1.9 or later), such as its progress bar.

``sklearn.callback`` is imported when a callback is set: it imports rich.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Self, TypeVar

from sklearn.utils.metaestimators import available_if

Result = TypeVar("Result")


def _is_supported(estimator: object) -> bool:
    if find_spec("sklearn.callback") is None:
        raise AttributeError("Callbacks need scikit-learn 1.9 or later.")
    return True


class CallbackSupport:
    """Base class of estimators whose fit calls the callbacks of scikit-learn."""

    @available_if(_is_supported)  # type: ignore[untyped-decorator]
    def set_callbacks(self, *callbacks: Any) -> Self:
        """Set callbacks of :meth:`fit`, such as ``sklearn.callback.ProgressBar()``.

        Needs scikit-learn 1.9 or later. Each tree is a task. Trees are grown together, so that
        callbacks see the fitted forest at the end of the fit only, and cannot stop it.

        Parameters
        ----------
        *callbacks : callback instances
            Callbacks, which replace earlier ones; none to remove them.

        Returns
        -------
        self : object
            This estimator.
        """
        from sklearn.callback import CallbackSupportMixin

        CallbackSupportMixin.set_callbacks(self, *callbacks)
        return self


def call_back(
    estimator: Any, n_tasks: int | None, fit: Callable[[], Result], X: Any, y: Any
) -> Result:
    """Call a function that fits an estimator of a number of tasks; None if it is not known yet."""
    if not getattr(estimator, "_skl_callbacks", None):
        return fit()
    from sklearn.callback import CallbackSupportMixin, with_callbacks

    @with_callbacks  # type: ignore[untyped-decorator]
    def run(estimator: Any) -> Result:
        context = CallbackSupportMixin._init_callback_context(estimator, max_subtasks=n_tasks)
        context.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
        result = fit()
        context.call_on_fit_task_end(estimator=estimator, X=X, y=y, reconstruction_attributes=dict)
        return result

    found: Result = run(estimator)
    return found


def task_counter(estimator: Any, n_tasks: int) -> Callable[[int], None] | None:
    """Return a function of the number of finished tasks within :func:`call_back`, if needed."""
    context = getattr(estimator, "_callback_fit_ctx", None)
    if context is None:
        return None
    if context.max_subtasks is None:
        context = context.subcontext(task_name="grow", max_subtasks=n_tasks)
        context.call_on_fit_task_begin(estimator=estimator)
    n_before = 0

    def count(n_done: int) -> None:
        nonlocal n_before
        for _ in range(n_before, n_done):
            task = context.subcontext(task_name="tree")
            task.call_on_fit_task_begin(estimator=estimator)
            task.call_on_fit_task_end(estimator=estimator)
        n_before = max(n_before, n_done)
        if n_done == n_tasks and context.parent is not None and context.task_name == "grow":
            context.call_on_fit_task_end(estimator=estimator)

    return count
