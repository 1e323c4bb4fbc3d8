# The same program for LangGraph; the model comes from elsewhere, as in graph.yaml.
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from service import checkpointer, model


class State(TypedDict):
    task: str
    draft: str
    feedback: str
    round: int
    best: Annotated[dict, lambda left, right: max(right, left, key=lambda it: it.get("score", -1))]


class Verdict(BaseModel):
    score: int
    feedback: str


def generate(state: State):
    said = state.get("feedback", "none yet")
    return {"draft": model.invoke(f"Write {state['task']}. What was said of the last draft: {said}").content}


def evaluate(state: State):
    prompt = f"Score from 0 to 10, and say what would make it better: {state['draft']}"
    verdict = model.with_structured_output(Verdict).invoke(prompt)
    best = {"score": verdict.score, "text": state["draft"]}
    return {"round": state.get("round", 0) + 1, "feedback": verdict.feedback, "best": best}


def again(state: State):
    return "generate" if state["best"]["score"] < 8 and state["round"] < 4 else END


builder = StateGraph(State)
builder.add_node(generate)
builder.add_node(evaluate)
builder.add_edge(START, "generate")
builder.add_edge("generate", "evaluate")
builder.add_conditional_edges("evaluate", again, ["generate", END])
graph = builder.compile(checkpointer=checkpointer)
