"""Scenes of the directory (DF) and the management (AMS) of b, which agents of a ask."""
from harness.players import Refused
from scenes.support import expect, names, require

EVERY = {"max-results": -1}
DIGGER = {"name": "digging", "type": "digger", "ownership": "ann", "languages": ["fipa-sl0"],
          "ontologies": ["earth"], "protocols": ["fipa-request"], "properties": {"depth": "3 m"}}
WHOLE = {"services": [DIGGER], "languages": ["fipa-sl0", "fipa-sl"], "ontologies": ["earth"],
         "protocols": ["fipa-request", "fipa-contract-net"], "lease-time": "20991114T221320000Z"}


def service(type, **more):
    return {"services": [{"type": type, **more}]}


def named(type, name="s"):
    return service(type, name=name)


def name_of(agent):
    return {"name": agent.aid["name"]}


def must_be_refused(reason, ask):
    try:
        ask()
    except Refused as why:
        require(reason in str(why), f"the reason is {why}")
    else:
        require(False, f"it is not refused; {reason} was expected")


def a_foreign_agent_registers_with_the_df(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    ann.df_register(df=b.df, entry=WHOLE)
    for each in (ann.df_search(df=b.df, entry=service("digger"), constraints=EVERY),
                 bob.df_search(entry=service("digger"), constraints=EVERY)):
        require(names(each["entries"]) == [ann.aid["name"]], f"found {each}")
        entry = each["entries"][0]
        require(entry["name"]["addresses"] == ann.aid["addresses"], f"found {entry}")
        for key in ("languages", "ontologies", "protocols"):
            require(sorted(entry[key]) == sorted(WHOLE[key]), f"{key}: {entry}")
        require(entry["lease-time"] == WHOLE["lease-time"], f"lease-time: {entry}")
        require(entry["services"] == [DIGGER], f"services: {entry}")
    ann.df_deregister(df=b.df)
    require(not bob.df_search(entry=service("digger"))["entries"], "it is still there")


def a_search_finds_what_matches(a, b):
    ann = a.agent("ann")
    bea, bob, bud = agents = b.make(["bea", "bob", "bud"])
    for agent, type, depth in ((bea, "digger", "1"), (bob, "digger", "2"), (bud, "cook", "1")):
        agent.df_register(
            entry={"services": [{"name": "s", "type": type, "properties": {"depth": depth}}],
                   "ontologies": ["earth"]})

    def found(entry, constraints=EVERY):
        return ann.df_search(df=b.df, entry=entry, constraints=constraints)["entries"]

    for entry, wanted in ((service("digger"), [bea, bob]),
                          (service("digger", properties={"depth": "2"}), [bob]),
                          ({"ontologies": ["earth"]}, agents),
                          ({"name": name_of(bud)}, [bud]), (service("baker"), [])):
        seen = found(entry)
        require(names(seen) == [each.aid["name"] for each in wanted], f"{entry} found {seen}")
    require(len(found(service("digger"), {"max-results": 1})) == 1, "more results than wanted")
    for each in agents:
        each.df_deregister()


def an_entry_can_be_modified(a, b):
    ann = a.agent("ann")
    ann.df_register(df=b.df, entry=named("digger"))
    ann.df_modify(df=b.df, entry=named("cook"))
    require(ann.df_search(df=b.df, entry=service("digger"))["entries"] == [], "it still digs")
    found = ann.df_search(df=b.df, entry=service("cook"))["entries"]
    require(names(found) == [ann.aid["name"]], f"found {found}")
    ann.df_deregister(df=b.df)


def the_df_gives_its_reasons(a, b):
    ann = a.agent("ann")
    must_be_refused("not-registered", lambda: ann.df_deregister(df=b.df))
    must_be_refused("not-registered", lambda: ann.df_modify(df=b.df, entry=named("digger")))
    ann.df_register(df=b.df, entry=named("digger"))
    must_be_refused("already-registered", lambda: ann.df_register(df=b.df, entry=named("digger")))
    ann.df_deregister(df=b.df)


def a_subscriber_of_the_df_is_told_of_changes(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    id = ann.df_subscribe(df=b.df, entry=service("digger"),
                          constraints=EVERY)["conversation-id"]
    # The DF works in order, so it has the subscription when it answers this.
    ann.df_search(df=b.df, entry=service("digger"))
    bob.df_register(entry=named("digger"))
    seen = ann.found()["entries"]
    require(names(seen) == [bob.aid["name"]] and seen[0]["services"], f"told of {seen}")
    bob.df_deregister()
    seen = ann.found()["entries"]
    require(names(seen) == [bob.aid["name"]] and not seen[0]["services"], f"told of {seen}")
    ann.cancel(conversation_id=id, publisher=b.df)
    ann.df_search(df=b.df, entry=service("digger"))
    bob.df_register(entry=named("digger"))
    bob.df_deregister()
    ann.df_search(df=b.df, entry=service("digger"))
    require(ann.has_nothing("found"), "it is told of changes after it cancelled")


def a_federated_df_is_searched_too(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    bob.df_register(entry=named("digger"))
    bob.df_federate(df=a.df)
    try:
        near = ann.df_search(entry=service("digger"), constraints=EVERY)
        require(near["entries"] == [], f"without depth, it found {near}")
        far = ann.df_search(entry=service("digger"), constraints={"max-depth": 1, **EVERY})
        require(names(far["entries"]) == [bob.aid["name"]], f"it found {far}")
    finally:
        bob.df_deregister()
        bob.df_leave(df=a.df)
    far = ann.df_search(entry=service("digger"), constraints={"max-depth": 1, **EVERY})
    require(far["entries"] == [], f"after the other has left, it found {far}")


def the_ams_lists_its_agents(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    entries = ann.ams_search(ams=b.ams, constraints=EVERY)["entries"]
    require({bob.aid["name"], b.ams["name"], b.df["name"]} <= set(names(entries)),
            f"it lists {entries}")
    require(all(each["state"] == "active" for each in entries), f"it lists {entries}")
    only = ann.ams_search(ams=b.ams, name=name_of(bob), constraints=EVERY)["entries"]
    require(names(only) == [bob.aid["name"]], f"it lists {only}")


def the_ams_describes_its_platform(a, b):
    content = a.agent("ann").ams_describe(ams=b.ams)["content"]
    mtp = "http" if b.address.startswith("http") else "iiop"
    for each in ("ap-description", b.name, f"fipa.mts.mtp.{mtp}.std", b.address):
        require(each in content, f"{each} is not in {content}")


def a_message_to_nobody_comes_back_from_the_ams(a, b):
    ann = a.agent("ann")
    nobody = {"name": f"nobody@{b.name}", "addresses": [b.address]}
    ann.tell("request", nobody, content="hi", conversation_id="c1", reply_with="r1")
    content = expect(ann.receive(), performative="failure", sender=b.ams["name"],
                     conversation_id="c1", in_reply_to="r1", language="fipa-sl")["content"]
    for each in ("MTS-error", nobody["name"], "internal-error"):
        require(each in content, f"{each} is not in {content}")


ALL = (a_foreign_agent_registers_with_the_df, a_search_finds_what_matches,
       an_entry_can_be_modified, the_df_gives_its_reasons,
       a_subscriber_of_the_df_is_told_of_changes, a_federated_df_is_searched_too,
       the_ams_lists_its_agents, the_ams_describes_its_platform,
       a_message_to_nobody_comes_back_from_the_ams)
