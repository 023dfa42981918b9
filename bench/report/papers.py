"""What the papers printed, as far as they printed numbers; their slips are noted, not copied.

The first is the original paper on this framework; the second compares three platforms; the third
measures JADE's message transport; the fourth is on quality of service in Cougaar; the fifth
compares transports between platforms of FIPA.
"""

DELAYS = (0, 50, 100)

# The original paper, Table 1: (delay, agents) -> ms of (Central, Distributed).
FULL = {
    (0, 3): (287.136, 976.817), (0, 6): (2330.945, 2035.839), (0, 10): (11406.251, 3584.217),
    (50, 3): (1366.809, 1318.975), (50, 6): (3813.976, 3285.391), (50, 10): (13289.015, 6172.110),
    (100, 3): (1535.421, 1730.029), (100, 6): (6197.208, 4759.786),
    (100, 10): (25693.062, 8985.121),
}

# Tables 2 to 4: (delay, shape) -> kind -> ms of (Central, Distributed). For 6-9 they have one
# column without a realization; Table 3 does not have 6-9. Table 4 has only averages.
COUNCIL = {
    (0, "3-3"): {"c-c": (2252, 1455), "c-p": (12750, 1897), "p-p": (1957, 1288),
                 "all": (7427, 1634)},
    (0, "3-6"): {"c-c": (2803, 8419), "c-p": (6209, 5814), "p-p": (11324, 5470),
                 "all": (9193, 5762)},
    (0, "3-9"): {"c-c": (5428, 9315), "c-p": (7360, 7666), "p-p": (17977, 7698),
                 "all": (15342, 7735)},
    (0, "6-3"): {"c-c": (10124, 6308), "c-p": (83652, 4616), "p-p": (1904, 2042),
                 "all": (35367, 4917)},
    (0, "6-6"): {"c-c": (23253, 17332), "c-p": (75751, 9697), "p-p": (9010, 4544),
                 "all": (30113, 7843)},
    (0, "6-9"): {"c-c": (None, None), "c-p": (None, None), "p-p": (None, None),
                 "all": (None, None)},
    (0, "9-3"): {"c-c": (17078, 16678), "c-p": (223285, 13395), "p-p": (2302, 2910),
                 "all": (73883, 13773)},
    (50, "3-3"): {"c-c": (2018, 3364), "c-p": (8766, 12855), "p-p": (712, 602),
                  "all": (4928, 7419)},
    (50, "3-6"): {"c-c": (2745, 4834), "c-p": (3074, 11038), "p-p": (1971, 7576),
                  "all": (2364, 8486)},
    (50, "3-9"): {"c-c": (5048, 4461), "c-p": (5243, 8701), "p-p": (4440, 12789),
                  "all": (4630, 11680)},
    (50, "6-3"): {"c-c": (3059, 8082), "c-p": (63124, 59319), "p-p": (612, 923),
                  "all": (24456, 25412)},
    (50, "6-6"): {"c-c": (8003, 11565), "c-p": (47312, 35353), "p-p": (3943, 5260),
                  "all": (16914, 14759)},
    (50, "6-9"): {"all": (None, None)},
    (50, "9-3"): {"c-c": (5923, 12973), "c-p": (183951, 104882), "p-p": (835, 795),
                  "all": (56061, 37493)},
    (100, "3-3"): {"all": (5935, 10029)}, (100, "3-6"): {"all": (3785, 10443)},
    (100, "3-9"): {"all": (5791, 18540)}, (100, "6-3"): {"all": (38621, 46001)},
    (100, "6-6"): {"all": (12487, 22550)}, (100, "6-9"): {"all": (None, None)},
    (100, "9-3"): {"all": (65942, 62092)},
}

# Table 5: shape -> ms; None where it prints 0.000. Its column of connections is not that of edges.
TREE = {"3-2": (10290.860, 21906.331), "3-3": (None, 36607.202), "3-4": (73364.593, 55097.587),
        "4-3": (None, 34317.682), "5-2": (46180.929, 16492.103)}

# Table 6: ms for each call, beyond a dedicated implementation.
OVERHEAD = {"central": {"read": 0.1, "write": 0.2}, "distributed": {"read": 42, "write": 6}}

# Table 7: (placement, framework, real, user, system, round trip), ms; None where it is empty.
CPE = [
    ("different subnets", "Dedicated RPC", 3.6, None, None, 3.5),
    ("different subnets", "Dedicated IPC", 50.0, None, None, 24.8),
    ("different subnets", "Central", 43.8, 4.6, 1.9, 18.8),
    ("different subnets", "Distributed", 51.7, 5.0, 2.1, 27.0),
    ("different subnets", "ToolTalk", 53.5, 5.4, 2.6, 26.5),
    ("different subnets", "FIELD", 69.6, 29.1, 30.5, 57.8),
    ("two hosts", "Dedicated RPC", 3.1, None, None, 1.7),
    ("two hosts", "Dedicated IPC", 18.6, None, None, 12.5),
    ("two hosts", "Central", 40.8, 4.3, 1.9, 15.9),
    ("two hosts", "Distributed", 41.3, 4.3, 1.8, 15.9),
    ("two hosts", "ToolTalk", 29.3, 6.7, 1.0, 23.2),
    ("two hosts", "FIELD", 84.8, 33.7, 32.1, 56.3),
    ("two hosts", "CPE testbed", 301.3, 108.6, 45.1, None),
    ("same host, networked", "Dedicated RPC", 3.2, None, None, 1.7),
    ("same host, networked", "Dedicated IPC", 19.6, None, None, 11.8),
    ("same host, networked", "Central", 22.2, 3.1, 2.05, 17.8),
    ("same host, networked", "Distributed", 21.3, 3.0, 2.1, 16.9),
    ("same host, networked", "ToolTalk", 3.1, 0.1, 0.2, None),
    ("same host, networked", "FIELD", 26.5, 13.1, 12.3, 51.2),
    ("same host, networked", "CPE testbed", 331.9, 85.3, 17.1, None),
    ("same host, memory", "Local", 4.9, 2.3, 0.1, None),
]

# Table 8: (reads, agents) -> ms. Its last column is headed by 9 agents, but repeats those of 10.
READS = {("directed", 3): (287.1, 976.8), ("directed", 6): (2330.9, 2035.8),
         ("directed", 10): (11406.3, 3584.2), ("anywhere", 3): (62.8, 446.7),
         ("anywhere", 6): (166.8, 450.5), ("anywhere", 10): (1013.0, 1058.7)}

# Table 9: framework -> agents -> ms.
COMPARE = {"Central": {3: 62.8, 6: 166.8, 10: 1013.0},
           "Distributed": {3: 446.7, 6: 450.5, 10: 1058.7},
           "ToolTalk": {3: 3173.1, 6: 5139.4, 10: 4954.9},
           "FIELD": {3: 405.4, 6: 8131.0, 10: 27684.8}}

# The second paper, Table 1: platform -> language, open source, FIPA, security, organizations,
# communication; of those whose row can be read without doubt.
FEATURES = [
    ("AgentScape", "Java/Python", "yes", "-", "-", "-", "SunRPC"),
    ("Cougaar", "Java", "yes", "-", "yes", "-", "RMI/Corba/http"),
    ("Jade", "Java", "yes", "yes", "yes", "-", "RMI/Corba/http"),
    ("MadKit", "Java", "yes", "-", "-", "yes", "Sockets"),
    ("Semoa", "Java", "yes", "-", "yes", "-", "RMI"),
    ("Soma", "Java", "yes", "-", "yes", "-", "Corba"),
    ("Spade", "Python", "yes", "yes", "yes", "yes", "Jabber"),
    ("Zeus", "Java", "yes", "yes", "yes", "yes", ""),
]
OUR_FEATURES = ("this one", "C++", "yes", "yes, by a gateway", "keys, TLS, policies", "groups",
                "memory, Unix sockets, TCP, TLS, http, Corba")

# Its Tables 2 to 7, of those platforms whose agents were together: (what, platform) -> shares of
# agents (mas), messaging (com), directory (sds) and the rest (jvm and map) in percent. With the
# directory, messaging is in the rest. Apart: those of the two hosts.
PARTS = [
    ("sending, one host", "Jade", 57.2, 27.8, None, 15.1),
    ("sending, one host", "MadKit", 81.9, 0.0, None, 18.1),
    ("sending, one host", "AgentScape", 65.1, 11.4, None, 23.4),
    ("sending, first of two hosts", "Jade", 11.4, 79.4, None, 9.2),
    ("sending, second of two hosts", "Jade", 10.6, 79.6, None, 9.8),
    ("registration, one host", "Jade", 6.1, None, 44.4, 49.5),
    ("registration, one host", "MadKit", 3.0, None, 1.0, 96.0),
    ("registration, the directory's host", "Jade", 0.0, None, 44.7, 55.3),
    ("registration, the other host", "Jade", 12.1, None, 0.0, 87.9),
    ("search, one host", "Jade", 5.3, None, 40.6, 54.1),
    ("search, one host", "MadKit", 69.9, None, 0.5, 29.6),
    ("search, the directory's host", "Jade", 0.2, None, 31.8, 68.0),
    ("search, the other host", "Jade", 9.8, None, 0.0, 90.2),
]

# Its Table 8: KB of (platform, platform and 100 agents).
MEMORY = {"Jade": (940.52, 1102.85), "MadKit": (1294.21, 1923.38),
          "AgentScape": (5218.35, 26979.37)}
# Section 5.5: the most that its platforms put on a link of 100,000 kbit/s.
OCCUPANCY = {"Jade": 8200, "MadKit": 4900, "AgentScape": 1000}

# The fourth paper: slope of Figure 1, and the pairs at which Figure 3 saturates on hosts of two
# processors, of one host and of two.
PING_SLOPE = 5.2
SATURATION = {"one host": 2, "two hosts": 4}

# The fifth paper, Table 2: transport -> δ with bit-efficient, string and XML messages.
SENSITIVITY = {"Sun ORB": (0.8, 0.72, 0.78), "ORBacus": (1.05, 0.87, 0.89),
               "OpenORB": (0.96, 0.76, 0.83), "HTTP": (0.91, 0.65, 0.8)}

# Tables and figures that cannot be measured until the measured parts exist.
NOT_YET = [
    ("The fourth paper's Table 1", "relative cost of metrics and thread services",
     "needs these services"),
    ("The fourth paper's Table 2, Figures 4, 6 and 7",
     "link protocols, the load of agents, compression", "needs the metrics service, links chosen "
     "by measurement and adaptive compression"),
]
