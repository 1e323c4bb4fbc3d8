# The same program for LangGraph; the address comes from elsewhere, as in graph.yaml.
from typing import Literal, TypedDict

import httpx
from langgraph.graph import START, StateGraph
from langgraph.types import Command, RetryPolicy

from service import bookings, checkpointer


class State(TypedDict):
    trip: dict
    flight: str
    hotel: str
    car: str
    problem: str


def book(what: str, state: State):
    return httpx.post(f"{bookings}/{what}", json=state["trip"]).raise_for_status().json()["id"]


def book_flight(state: State) -> Command[Literal["book_hotel"]]:
    return Command(update={"flight": book("flights", state)}, goto="book_hotel")


def book_hotel(state: State) -> Command[Literal["book_car", "undo_flight"]]:
    try:
        return Command(update={"hotel": book("hotels", state)}, goto="book_car")
    except httpx.HTTPStatusError as e:
        return Command(update={"problem": str(e)}, goto="undo_flight")


def book_car(state: State) -> Command[Literal["undo_hotel", "__end__"]]:
    try:
        return Command(update={"car": book("cars", state)}, goto="__end__")
    except httpx.HTTPStatusError as e:
        return Command(update={"problem": str(e)}, goto="undo_hotel")


def undo_hotel(state: State) -> Command[Literal["undo_flight"]]:
    httpx.delete(f"{bookings}/hotels/{state['hotel']}").raise_for_status()
    return Command(goto="undo_flight")


def undo_flight(state: State) -> Command[Literal["failed"]]:
    httpx.delete(f"{bookings}/flights/{state['flight']}").raise_for_status()
    return Command(goto="failed")


def failed(state: State):
    raise RuntimeError(f"trip_not_booked: {state['problem']}")


builder = StateGraph(State)
for node in (book_flight, book_hotel, book_car, undo_hotel, undo_flight):
    builder.add_node(node, retry_policy=RetryPolicy())
builder.add_node(failed)
builder.add_edge(START, "book_flight")
graph = builder.compile(checkpointer=checkpointer)
