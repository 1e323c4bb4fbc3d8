# The same program for LangGraph; the model and the address come from elsewhere, as in graph.yaml.
from operator import add
from typing import Annotated, Literal, TypedDict

import httpx
from langgraph.graph import START, StateGraph
from langgraph.types import Command, RetryPolicy, Send
from pydantic import BaseModel

from service import checkpointer, model, search_url


class State(TypedDict):
    question: str
    query: str
    searches: int
    relevant: Annotated[list[dict], add]
    answer: str


class Grade(BaseModel):
    relevant: bool


def retrieve(state: State) -> Command[Literal["grade", "decide"]]:
    query = state.get("query", state["question"])
    found = httpx.post(search_url, json={"query": query}).raise_for_status().json()["documents"]
    tasks = [Send("grade", {"question": state["question"], "document": it}) for it in found]
    return Command(update={"searches": state.get("searches", 0) + 1}, goto=tasks or "decide")


def grade(task: dict):
    document = task["document"]
    prompt = f"Does this document help to answer '{task['question']}'? {document['text']}"
    return {"relevant": [document] if model.with_structured_output(Grade).invoke(prompt).relevant else []}


def decide(state: State) -> Command[Literal["rewrite", "answer"]]:
    return Command(goto="rewrite" if not state["relevant"] and state["searches"] < 2 else "answer")


def rewrite(state: State):
    prompt = f"Nothing was found. Write a better search query for: {state['question']}"
    return {"query": model.invoke(prompt).content}


def answer(state: State):
    prompt = f"Answer '{state['question']}' from these documents only: {state['relevant']}"
    return {"answer": model.invoke(prompt).content}


builder = StateGraph(State)
builder.add_node(retrieve, retry_policy=RetryPolicy())
for node in (grade, decide, rewrite, answer):
    builder.add_node(node)
builder.add_edge(START, "retrieve")
builder.add_edge("grade", "decide")
builder.add_edge("rewrite", "retrieve")
graph = builder.compile(checkpointer=checkpointer)
