# The same program for LangGraph; the model comes from elsewhere, as in graph.yaml.
from typing import Annotated, TypedDict

from langgraph.graph import START, MessagesState, StateGraph
from langmem.short_term import SummarizationNode
from pydantic import BaseModel

from service import checkpointer, model


class State(MessagesState):
    facts: Annotated[list[str], lambda left, right: sorted({*left, *right})]
    context: dict
    recent: list


class Learned(BaseModel):
    facts: list[str]


def reply(state: State):
    system = f"You are a friendly companion. You know of the user: {state['facts']}"
    return {"messages": [model.invoke([{"role": "system", "content": system}, *state["recent"]])]}


def remember(state: State):
    prompt = f"Which lasting facts about the user are in this: {state['recent']}"
    return {"facts": model.with_structured_output(Learned).invoke(prompt).facts}


builder = StateGraph(State)
builder.add_node("shorten", SummarizationNode(model=model, max_tokens=4000, output_messages_key="recent"))
builder.add_node(reply)
builder.add_node(remember)
builder.add_edge(START, "shorten")
builder.add_edge("shorten", "reply")
builder.add_edge("reply", "remember")
graph = builder.compile(checkpointer=checkpointer)
