"""The scenes: each is a function of two platforms, named by the sentence that it proves."""
from scenes import contracts, ends, messages, protocols, services

ALL = messages.ALL + protocols.ALL + contracts.ALL + services.ALL + ends.ALL
