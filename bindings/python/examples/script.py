"""A script whose calls wait."""
import coracle

with coracle.connect() as node, node.join("ann") as ann, node.join("bob") as bob:
    ann.send("bob", {"colour": "red", "sizes": [38, 40]}, headers={"urgency": "2"})
    message = bob.receive(from_="ann", within=5)
    assert message is not None
    print(f"{message.source} wants {message.content}, urgency {message.header('urgency')}")
    print("more:", bob.receive(within=0.01))
