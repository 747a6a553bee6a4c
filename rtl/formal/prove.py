#!/usr/bin/env python3
# prove.py - proves the properties in the RTL, and shows that a planted bug makes each proof fail
# SPDX-License-Identifier: Apache-2.0
"""usage: prove.py [--work DIR] [--list] NAME...

NAME is a proof (debounce, queue, recorder, scan: temporal induction, for all time; cpu_*: what an
instruction does) or a mutant (see mutants.txt: the proof must find a trace that breaks a claim).
Exit status 0: proved, or the mutant was caught.
"""
import argparse
import pathlib
import subprocess
import sys
import time

RTL = pathlib.Path(__file__).resolve().parent.parent

# name: (top, files, parameters for the proof, parameters for mutants)
# Mutants run at small widths: a trace is found sooner, and it is only one trace that is wanted.
USB_PACKET = [f"usb/tm_usb_{name}.sv" for name in
              ("receiver", "transmitter", "stuff", "crc", "packet")]
PROOFS = {
    "debounce": ("tm_debounce", ["debounce/tm_debounce.sv"], {},
                 {"TimeW": 8, "RunW": 5, "ThresholdW": 4}),
    "queue": ("tm_queue", ["queue/tm_record_ram.sv", "queue/tm_queue.sv"], {"Depth": 16},
              {"Depth": 16}),
    "queue_spram": ("tm_queue", ["queue/tm_record_ram.sv", "queue/tm_queue.sv"],
                    {"Depth": 16, "UseSpram": 1}, {"Depth": 16, "UseSpram": 1}),
    "queue_hold": ("tm_queue", ["queue/tm_record_ram.sv", "queue/tm_queue.sv"],
                   {"Depth": 16, "UseSpram": 1, "Hold": 1}, {"Depth": 16, "UseSpram": 1, "Hold": 1}),
    "recorder": ("tm_recorder", ["queue/tm_recorder.sv"], {}, {}),
    "scan": ("tm_scan", ["scan/tm_scan.sv"], {}, {}),
    "usb_line": ("tm_usb_line", ["usb/tm_usb_line.sv"], {}, {}),
    "usb_transaction": ("tm_usb_transaction", ["usb/tm_usb_transaction.sv"], {}, {}),
    "usb_transmit": ("tm_usb_packet", USB_PACKET, {"Sends": 1}, {"Sends": 1}),
    "usb_receive": ("tm_usb_packet", USB_PACKET, {"Sends": 0}, {"Sends": 0}),
    "usb_endpoints": ("tm_usb_endpoints", ["usb/tm_usb_endpoints.sv"], {}, {}),
}
PROOF_STEPS = 4

# The core, an instruction at a time from any state between two of them: bounded, and therefore for
# all programs (tm_cpu.sv, FORMAL). name: (opcode, funct3, clocks)
CPU = {"lui": (0x37, 0, 16), "auipc": (0x17, 0, 16), "fence": (0x0F, 0, 12), "jal": (0x6F, 0, 21),
       "jalr": (0x67, 0, 21), "system": (0x73, 0, 4), "unknown": (0x2F, 2, 4)}
CPU |= {name: (0x63, f3, 17) for name, f3 in
        {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}.items()}
CPU |= {name: (0x03, f3, 22) for name, f3 in
        {"lb": 0, "lh": 1, "lw": 2, "lbu": 4, "lhu": 5}.items()}
CPU |= {name: (0x23, f3, 31) for name, f3 in {"sb": 0, "sh": 1, "sw": 2}.items()}
CPU |= {name + kind: (op, f3, 32 if f3 in (1, 5) else 25 if f3 in (2, 3) else 16)
        for kind, op in (("", 0x33), ("i", 0x13)) for name, f3 in
        {"add": 0, "sll": 1, "slt": 2, "sltu": 3, "xor": 4, "sr": 5, "or": 6, "and": 7}.items()}
for _name, (_op, _f3, _clocks) in CPU.items():
    _values = {"Opcode": f"7'h{_op:02x}", "Funct3": f"3'd{_f3}", "Clocks": _clocks}
    PROOFS[f"cpu_{_name}"] = ("tm_cpu", ["cpu/tm_cpu.sv"], _values, _values)
# Where a trace from reset would be long, mutants start from a state that is reached later: the
# recorder in its main state or near the end of a snapshot's first half, following the square that
# comes last; the queue but one record short of full, following a record that is not yet there; the
# transmitter and the receiver before the last bit of their first byte.
LAST_BIT = {"f_past_valid_q": 1, "u_transmitter.state_q": 3, "u_transmitter.dp_o": 1,
            "u_transmitter.dn_o": 0, "u_transmitter.oe_o": 1, "u_stuff.ones_q": 5,
            "u_crc.crc_q": 0xFFFF, "bit_count_q": 7, "count_q": 1, "shift_q": 1, "in_pid_q": 0,
            "byte_q": 0, "pid_whole_q": 0, "u_receiver.active_q": 0,
            "g_sends.f_reset_q": 0, "g_sends.f_tick_q": 0, "g_sends.f_new_q": 0,
            "g_sends.f_level_q": 1, "g_sends.f_ones_q": 5, "g_sends.f_bits_q": 7,
            "g_sends.f_shift_q": 0xF0, "g_sends.f_bytes_q": 2, "g_sends.f_crc_q": 0xFFFF,
            "g_sends.f_end_q": 0, "g_sends.f_byte_q": 0xF8, "g_sends.f_number_q": 0,
            "g_sends.f_dp_q": 1, "g_sends.f_dn_q": 0, "g_sends.f_oe_q": 1}
HEARD_BIT = {"f_past_valid_q": 1, "u_transmitter.state_q": 0, "u_receiver.active_q": 1,
             "u_receiver.dead_q": 0, "u_stuff.ones_q": 1, "bit_count_q": 7,
             "shift_q": 0xF0, "in_pid_q": 0, "pid_q": 3, "pid_whole_q": 0, "byte_q": 0, "good_q": 1,
             "end_q": 0, "count_q": 0, "u_crc.crc_q": 0xFFFF,
             "g_receives.f_in_q": 1, "g_receives.f_dead_q": 0, "g_receives.f_level_q": 1,
             "g_receives.f_ones_q": 1, "g_receives.f_zeros_q": 0, "g_receives.f_bits_q": 7,
             "g_receives.f_byte_q": 0xF0, "g_receives.f_had_q": 1, "g_receives.f_pid_q": 0xC3,
             "g_receives.f_new_pid_q": 0, "g_receives.f_new_byte_q": 0, "g_receives.f_good_q": 1,
             "g_receives.f_ended_q": 0, "g_receives.f_length_q": 0, "g_receives.f_crc16_q": 0xFFFF}
MUTANT_START = {"recorder": {"f_past_valid_q": 1, "state_q": 8, "f_index_q": 60, "f_room_q": 0,
                             "f_ticks_q": 4, "f_snapshot_q": 0, "f_lost_q": 0, "f_event_q": 0,
                             "f_epoch_q": 0, "f_wrap_q": 0, "epoch_q": 0, "wait_q": 0, "push_q": 0,
                             "push_watermark_q": 0, "lossy_q": 0, "lost_q": 0, "snapshot_q": 1},
                "recorder_short": {"f_past_valid_q": 1, "state_q": 5, "f_index_q": 25, "f_room_q": 8,
                                   "f_ticks_q": 4, "f_snapshot_q": 3, "f_lost_q": 0,
                                   "f_event_q": 0, "f_epoch_q": 0, "f_wrap_q": 0, "epoch_q": 0,
                                   "wait_q": 0, "push_q": 0, "push_watermark_q": 0, "lossy_q": 0,
                                   "lost_q": 0, "snapshot_q": 0},
                "queue_full": {"f_past_valid_q": 1, "f_written_q": 15, "f_sent_q": 15,
                               "f_oldest_q": 0, "written_q": 15, "sent_q": 15,
                               "acked_n_q": 0, "valid_q": 0, "watermark_q": 0},
                "usb_tx_stuff": LAST_BIT, "usb_tx_crc": LAST_BIT, "usb_tx_short": LAST_BIT,
                "usb_rx_crc16": HEARD_BIT}
MUTANT_SET = {"queue_full": {"f_number": 100}, "recorder_short": {"f_input": 31}}


def mutants():
    """{name: (proof, clocks, file, good text, bad text)} from mutants.txt."""
    found = {}
    for line in (RTL / "formal" / "mutants.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, proof, clocks, file, good, bad = [field.strip() for field in line.split(" | ")]
        found[name] = (proof, int(clocks), file, good, bad)
    return found


def run_yosys(script, work, name):
    log = work / f"{name}.log"
    done = subprocess.run(["yosys", "-q", "-l", str(log), "-p", script], cwd=RTL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return done.returncode, log.read_text() + done.stderr


def run(name, work):
    known = mutants()
    is_mutant = name in known
    proof, clocks, file, good, bad = known[name] if is_mutant else (name, 0, None, None, None)
    top, files, parameters, small = PROOFS[proof]
    sources = ["pkg/tm_pkg.sv"] + files
    if is_mutant:
        parameters = small
        text = (RTL / file).read_text()
        if text.count(good) != 1:
            return f"mutants.txt: '{good}' does not stand exactly once in {file}"
        mutated = work / f"{name}.sv"
        mutated.write_text(text.replace(good, bad))
        sources = [str(mutated) if source == file else source for source in sources]

    # An anyconst stands for every value at once; so does a register without an initial value.
    chparam = " ".join(f"-set {key} {value}" for key, value in parameters.items())
    netlist = (f"read_verilog -sv -formal {' '.join(sources)}; "
               + (f"chparam {chparam} {top}; " if chparam else "")
               + f"chformal -cover -remove; prep -flatten -top {top}; "
               # A proof without assertions would pass: it must not
               "select -assert-min 5 t:$assert; "
               "memory_map; async2sync; dffunmap; setundef -undriven -anyseq; opt -full; ")
    # For a mutant only the claims count, not the invariants, and only a trace that breaks one: that an
    # induction fails proves nothing.
    if is_mutant:
        netlist += f"delete {top}/i_* {top}/*.i_*; "
        start = MUTANT_START.get(name, MUTANT_START.get(proof, {}))
        prove = (f"sat -seq {clocks} "
                 + " ".join(f"-set-init {register} {value}" for register, value in start.items())
                 + "".join(f" -set {signal} {value}"
                           for signal, value in MUTANT_SET.get(name, {}).items()))
    else:
        prove = f"sat -verify -seq 1 -tempinduct -maxsteps {PROOF_STEPS}"
    if top == "tm_cpu":
        prove = f"sat -verify -seq {parameters['Clocks'] + 2}"
    status, log = run_yosys(netlist + f"{prove} -prove-asserts -set-assumes {top}", work, name)
    if is_mutant:
        if "SAT proof finished - model found: FAIL!" in log:
            return None
        return "the planted bug was not found; see " + str(work / f"{name}.log")
    if status == 0 and ("Induction step proven: SUCCESS!" in log or
                        (top == "tm_cpu" and "no model found: SUCCESS!" in log)):
        return None
    return "not proved; see " + str(work / f"{name}.log")


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/formal"))
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("names", nargs="*")
    chosen = arguments.parse_args()
    everything = list(PROOFS) + list(mutants())
    if chosen.list:
        print("\n".join(everything))
        return 0
    unknown = [name for name in chosen.names if name not in everything]
    if unknown:
        print(f"prove.py: no proof or mutant is called {unknown[0]}", file=sys.stderr)
        return 2
    work = chosen.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in chosen.names or everything:
        began = time.monotonic()
        why = run(name, work)
        what = "proved" if name in PROOFS else "caught"
        print(f"{name}: {what if why is None else 'FAILED: ' + why} "
              f"({time.monotonic() - began:.1f} s)", flush=True)
        failed += why is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
