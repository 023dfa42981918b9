"""The scenes: each is a function of two platforms, named by the sentence that it proves."""
from scenes import ends, messages, protocols, services

ALL = messages.ALL + protocols.ALL + services.ALL + ends.ALL
