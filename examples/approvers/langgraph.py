# The same program for LangGraph. A question has no deadline there: who serves the graph resumes it with "pass".
from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send, interrupt

from service import checkpointer


class State(TypedDict):
    request: str
    votes: Annotated[list[dict], add]
    approved: bool


def ask(state: State):
    return [Send("approve", {**state, "who": who}) for who in ("legal", "finance")]


def approve(task: dict):
    vote = interrupt({"question": f"Approve {task['request']}?", "who": task["who"]})["vote"]
    if vote not in ("yes", "no", "pass"):
        raise ValueError(vote)
    return {"votes": [{"who": task["who"], "vote": vote}]}


def decide(state: State):
    votes = {it["vote"] for it in state["votes"]}
    return END if "no" in votes else "director" if "pass" in votes else "publish"


def director(state: State):
    answer = interrupt({"question": f"Approve {state['request']}?", "votes": state["votes"]})
    return {"approved": bool(answer["approved"])}


builder = StateGraph(State)
builder.add_node(approve)
builder.add_node("decide", lambda state: {})
builder.add_node(director)
builder.add_node("publish", lambda state: {"approved": True})
builder.add_conditional_edges(START, ask, ["approve"])
builder.add_edge("approve", "decide")
builder.add_conditional_edges("decide", decide, ["director", "publish", END])
graph = builder.compile(checkpointer=checkpointer)
