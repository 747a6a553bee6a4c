// harness.sv - the USB device alone on a chip, to measure it: ports through shift registers
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module harness #(
  localparam int unsigned InBits  = 1 + 2 + 10 + 2 + 10 + 1 + 64,
  localparam int unsigned OutBits = 4 + 8 + 3
) (
  input  logic clk_i,
  input  logic clk48_i,
  input  logic in_i,
  input  logic load_i,
  output logic out_o
);
  logic [InBits-1:0]  in_q;
  logic [OutBits-1:0] out;
  tm_shift_ports #(.InBits(InBits), .OutBits(OutBits)) u_ports (
    .clk_i, .in_i, .load_i, .out_o, .to_core_o(in_q), .from_core_i(out)
  );

  tm_usb_device u_usb (
    .clk_i, .clk48_i,
    .rst_i      (in_q[0]),
    .dp_i       (in_q[1]),
    .dn_i       (in_q[2]),
    .reg_addr_i (in_q[12:3]),
    .reg_we_i   (in_q[13]),
    .reg_re_i   (in_q[14]),
    .reg_wdata_i(in_q[24:15]),
    .rec_valid_i(in_q[25]),
    .rec_data_i (in_q[89:26]),
    .dp_o       (out[0]),
    .dn_o       (out[1]),
    .oe_o       (out[2]),
    .pullup_o   (out[3]),
    .reg_rdata_o(out[11:4]),
    .reg_ready_o(out[12]),
    .rec_ready_o(out[13]),
    .pending_o  (out[14])
  );
endmodule
`default_nettype wire
