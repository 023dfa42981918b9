%% The work of the two nodes of peer-erlang. Numbers and times are counted as in counting.hpp.
-module(bench_peer).
-export([ping/3, pong/3, drink/3, pour/3]).

-define(FAREWELL, 16#ffffffffffffffff).
-define(WINDOW, 4096).
-define(BURST, 1024).

now_ns() -> erlang:monotonic_time(nanosecond).

message(Number, Rest) -> <<Number:64, Rest/binary>>.

farewell(Count, Size) -> <<?FAREWELL:64, Count:64, 0:((Size - 16) * 8)>>.

say(Text, Values) ->
    io:format(Text ++ "~n", Values),
    erlang:halt(0).

%% The partner is ready as soon as its name is registered.
partner(Name, Node) ->
    case net_adm:ping(Node) =:= pong andalso rpc:call(Node, erlang, whereis, [Name]) of
        Pid when is_pid(Pid) -> Pid;
        _ -> timer:sleep(10), partner(Name, Node)
    end.

%% --- ping-pong ---

ping(Node, Size, Span) ->
    Ponger = partner(ponger, Node),
    Rest = binary:copy(<<"x">>, Size - 8),
    Start = now_ns(),
    Begin = Start + Span div 5,
    {Played, Samples} = batches(Ponger, Rest, 0, Start, Begin, Begin + Span, []),
    Ponger ! {self(), farewell(Played, Size)},
    receive {Ponger, Played} -> ok end,
    say("~w ~w", [Played, Samples]).

batches(Ponger, Rest, Played, Before, Begin, End, Samples) ->
    rounds(Ponger, Rest, Played + 1, Played + 100),
    After = now_ns(),
    Found = if Before >= Begin -> [After - Before | Samples]; true -> Samples end,
    if
        After < End; Found =:= [] -> batches(Ponger, Rest, Played + 100, After, Begin, End, Found);
        true -> {Played + 100, Found}
    end.

rounds(_, _, Number, Last) when Number > Last -> ok;
rounds(Ponger, Rest, Number, Last) ->
    Ping = message(Number, Rest),
    Ponger ! {self(), Ping},
    receive {Ponger, Ping} -> rounds(Ponger, Rest, Number + 1, Last) end.

pong(_, _, _) ->
    register(ponger, self()),
    pong_loop(0).

pong_loop(Count) ->
    receive
        {Pinger, <<?FAREWELL:64, _/binary>>} -> Pinger ! {self(), Count};
        {Pinger, Ping} -> Pinger ! {self(), Ping}, pong_loop(Count + 1)
    end.

%% --- flood ---

drink(Node, Size, _) ->
    Sender = partner(sender, Node),
    Sender ! {begin_with, self()},
    {Count, Sum, Sent, Marks} = taken(Sender, Size, 0, 0, []),
    Expected = Sent * (Sent + 1) div 2,
    {Count, Sum} = {Sent, Expected},
    say("~w ~w", [Count, lists:reverse(Marks)]).

taken(Sender, Size, Count, Sum, Marks) ->
    receive
        <<?FAREWELL:64, Sent:64, _/binary>> -> {Count, Sum, Sent, Marks};
        <<Number:64, _/binary>> = Message when byte_size(Message) =:= Size ->
            First = if Count =:= 0 -> [now_ns()]; true -> Marks end,
            if (Count + 1) rem ?BURST =:= 0 -> Sender ! taken; true -> ok end,
            Found = if (Count + 1) rem 4096 =:= 0 -> [now_ns() | First]; true -> First end,
            taken(Sender, Size, Count + 1, Sum + Number, Found)
    end.

pour(_, Size, Span) ->
    register(sender, self()),
    Rest = binary:copy(<<"x">>, Size - 8),
    receive
        {begin_with, Receiver} ->
            Sent = sent(Receiver, Rest, 0, ?WINDOW, now_ns() + Span * 5 div 4),
            Receiver ! farewell(Sent, Size)
    end.

sent(Receiver, Rest, Sent, 0, End) ->
    receive taken -> sent(Receiver, Rest, Sent, ?BURST, End) end;
sent(Receiver, Rest, Sent, Room, End) ->
    case Sent rem 256 =:= 0 andalso now_ns() >= End of
        true -> Sent;
        false ->
            Receiver ! message(Sent + 1, Rest),
            sent(Receiver, Rest, Sent + 1, Room - 1, End)
    end.
