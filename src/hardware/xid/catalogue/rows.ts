/**
 * One line an XID: number, name, what NVIDIA's catalogue says to do at once, what it says to look
 * into, and what gpud makes of it: F(atal), W(arning), I(nfo) or - for one it does not know, then
 * what it advises: R(eboot), hardware H(inspection), C(heck the application), N(othing).
 * 173 is in no catalogue yet; gpud knows it.
 */
export const catalogueRows = `
1|Not used|CONTACT_SUPPORT||W
2|Not used|CONTACT_SUPPORT||W
3|Not used|CONTACT_SUPPORT||W
4|Not used|CONTACT_SUPPORT||W
5|Not used|CONTACT_SUPPORT||W
6|Not used|CONTACT_SUPPORT||W
7|Not used|CONTACT_SUPPORT||W
8|Channel idle timeout, the GPU stopped working|RESTART_APP|CONTACT_SUPPORT|W
9|Not used|CONTACT_SUPPORT||FR
10|Not used|CONTACT_SUPPORT||W
11|Bad push buffer stream|RESTART_APP|CHECK_APP_CUDA|W
12|Not used|CONTACT_SUPPORT||FR
13|Graphics engine exception|RESTART_APP|WORKFLOW_XID_13|WC
14|Not used|IGNORE|CONTACT_SUPPORT|W
15|Not used|CONTACT_SUPPORT||W
16|Not used|CONTACT_SUPPORT|CONTACT_SUPPORT|FR
17|Not used|CONTACT_SUPPORT||W
18|Not used|CONTACT_SUPPORT||FR
19|Not used|CONTACT_SUPPORT||FR
20|Not used|CONTACT_SUPPORT||W
21|Not used|CONTACT_SUPPORT||W
22|Not used|CONTACT_SUPPORT||W
23|Not used|CONTACT_SUPPORT||W
24|Not used|CONTACT_SUPPORT||W
25|Illegal push buffer stream|RESTART_APP|CHECK_APP_CUDA|W
26|Not used|CONTACT_SUPPORT||FR
27|Not used|CONTACT_SUPPORT||FR
28|Not used|CONTACT_SUPPORT||FR
29|Not used|CONTACT_SUPPORT||FR
30|Not used|CONTACT_SUPPORT||FR
31|GPU memory page fault|RESTART_APP|WORKFLOW_XID_31|WCH
32|Bad push buffer stream at the host interface|RESTART_APP|CHECK_APP_CUDA|FRH
33|Not used|CONTACT_SUPPORT||FR
34|Not used|CONTACT_SUPPORT||FR
35|Not used|CONTACT_SUPPORT||FR
36|Not used|CONTACT_SUPPORT||FR
37|Firmware method not implemented|IGNORE|CHECK_APP_CUDA|W
38|Firmware watchdog timeout|IGNORE|CONTACT_SUPPORT|FRH
39|Copy engine 0 error|RESTART_APP|CONTACT_SUPPORT|W
40|Copy engine 1 error|RESTART_APP|CONTACT_SUPPORT|W
41|Copy engine 2 error|RESTART_APP|CONTACT_SUPPORT|W
42|Not used|CONTACT_SUPPORT||FR
43|GPU stopped working, the channel was reset|IGNORE|CONTACT_SUPPORT|WC
44|Graphics engine fault during a context switch|IGNORE|CONTACT_SUPPORT|FRH
45|Channel cleaned up after an earlier error|WORKFLOW_XID_45|RESTART_FM_IF_SOLO|WN
46|GPU stopped working, timeout|RESET_GPU|CONTACT_SUPPORT|FR
47|Not used|CONTACT_SUPPORT||FR
48|Double-bit ECC error|WORKFLOW_XID_48|WORKFLOW_XID_48|FRH
49|Not used|CONTACT_SUPPORT||W
50|Not used|CONTACT_SUPPORT||W
51|Not used|CONTACT_SUPPORT||W
52|Not used|CONTACT_SUPPORT||W
53|Not used|CONTACT_SUPPORT||W
54|Auxiliary power not connected|CHECK_MECHANICALS|CONTACT_SUPPORT|W
55|Not used|CONTACT_SUPPORT||W
56|Not used|CONTACT_SUPPORT||W
57|Not used|CONTACT_SUPPORT||W
58|Not used|CONTACT_SUPPORT||W
59|Not used|CONTACT_SUPPORT||FR
60|Video processor exception|RESTART_APP|INVESTIGATE_SW|FR
61|Not used|CONTACT_SUPPORT||FR
62|Power controller halted|RESET_GPU|CONTACT_SUPPORT|FRH
63|Memory row remapped|IGNORE|IGNORE|FRH
64|Memory row could not be remapped|RESET_GPU|CONTACT_SUPPORT|FRH
65|Not used|CONTACT_SUPPORT||FRH
66|Illegal register access by the driver|IGNORE|INVESTIGATE_SW|W
67|Register access check failed in the driver|IGNORE|CONTACT_SUPPORT|W
68|Video decoder 0 error|RESTART_APP|CONTACT_SUPPORT|FRH
69|Graphics engine class error|RESTART_APP|CHECK_APP_CUDA|FRH
70|Copy engine 3 error|RESTART_APP|CONTACT_SUPPORT|W
71|Copy engine 4 error|RESTART_APP|CONTACT_SUPPORT|W
72|Copy engine 5 error|RESTART_APP|CONTACT_SUPPORT|W
73|Not used|CONTACT_SUPPORT||W
74|NVLink error|WORKFLOW_NVLINK_ERR|CONTACT_SUPPORT|FRH
75|Copy engine 6 error|RESTART_APP|CONTACT_SUPPORT|W
76|Copy engine 7 error|RESTART_APP|CONTACT_SUPPORT|W
77|Copy engine 8 error|RESTART_APP|CONTACT_SUPPORT|W
78|Virtual GPU did not start|UPDATE_SWFW|UPDATE_SWFW|FR
79|GPU has fallen off the bus|RESTART_BM|CONTACT_SUPPORT|FRH
80|Corrupted data sent to the GPU|RESTART_APP|CHECK_APP_CUDA|W
81|Not used|CONTACT_SUPPORT||FH
82|JPEG decoder 0 error|RESTART_APP|CONTACT_SUPPORT|W
83|Video decoder 1 error|RESTART_APP|CONTACT_SUPPORT|W
84|Video decoder 2 error|RESTART_APP|CONTACT_SUPPORT|W
85|Copy engine 9 error|RESTART_APP|CONTACT_SUPPORT|W
86|Optical flow engine 0 error|RESTART_APP|CONTACT_SUPPORT|W
87|Not used|CONTACT_SUPPORT||W
88|Video decoder 3 error|RESTART_APP|CONTACT_SUPPORT|W
89|Video decoder 4 error|RESTART_APP|CONTACT_SUPPORT|W
90|Not used|CONTACT_SUPPORT||W
91|Not used|CONTACT_SUPPORT||W
92|High rate of single-bit ECC errors|IGNORE|CONTACT_SUPPORT|WN
93|InfoROM wear limit exceeded|IGNORE|CONTACT_SUPPORT|W
94|Contained memory error|RESTART_APP|IGNORE_SYMPATHETIC|FRN
95|Uncontained memory error|RESET_GPU|IGNORE_SYMPATHETIC|FRH
96|Video decoder 5 error|RESTART_APP|CONTACT_SUPPORT|W
97|Video decoder 6 error|RESTART_APP|CONTACT_SUPPORT|W
98|Video decoder 7 error|RESTART_APP|CONTACT_SUPPORT|W
99|JPEG decoder 1 error|RESTART_APP|CONTACT_SUPPORT|W
100|JPEG decoder 2 error|RESTART_APP|CONTACT_SUPPORT|W
101|JPEG decoder 3 error|RESTART_APP|CONTACT_SUPPORT|W
102|JPEG decoder 4 error|RESTART_APP|CONTACT_SUPPORT|W
103|JPEG decoder 5 error|RESTART_APP|CONTACT_SUPPORT|W
104|JPEG decoder 6 error|RESTART_APP|CONTACT_SUPPORT|W
105|JPEG decoder 7 error|RESTART_APP|CONTACT_SUPPORT|W
106|SMBPBI test message|IGNORE|IGNORE|W
107|SMBPBI silent test message|IGNORE|IGNORE|W
108|NVLink remote translation error|IGNORE|XID_137_FLOW|W
109|Context switch timeout|RESET_GPU|CONTACT_SUPPORT|W
110|Security fault|RESET_GPU|INVESTIGATE_SW|FRH
111|Not used|CONTACT_SUPPORT||W
112|Not used|CONTACT_SUPPORT||W
113|Not used|CONTACT_SUPPORT||W
114|Not used|CONTACT_SUPPORT||W
115|Not used|CONTACT_SUPPORT||W
116|Not used|CONTACT_SUPPORT||W
117|Not used|CONTACT_SUPPORT||W
118|Not used|CONTACT_SUPPORT||W
119|GSP call timeout|RESET_GPU|INVESTIGATE_SW|FRH
120|GSP error|RESET_GPU|INVESTIGATE_SW|FRH
121|Chip-to-chip link error|IGNORE|CONTACT_SUPPORT|FRH
122|Not used|CONTACT_SUPPORT||W
123|Not used|CONTACT_SUPPORT||FRH
124|Not used|CONTACT_SUPPORT||W
125|Not used|CONTACT_SUPPORT||W
126|Copy engine 10 error|RESTART_APP|CONTACT_SUPPORT|W
127|Copy engine 11 error|RESTART_APP|CONTACT_SUPPORT|W
128|Copy engine 12 error|RESTART_APP|CONTACT_SUPPORT|W
129|Copy engine 13 error|RESTART_APP|CONTACT_SUPPORT|W
130|Copy engine 14 error|RESTART_APP|CONTACT_SUPPORT|W
131|Copy engine 15 error|RESTART_APP|CONTACT_SUPPORT|W
132|Copy engine 16 error|RESTART_APP|CONTACT_SUPPORT|W
133|Copy engine 17 error|RESTART_APP|CONTACT_SUPPORT|-
134|Copy engine 18 error|RESTART_APP|CONTACT_SUPPORT|W
135|Copy engine 19 error|RESTART_APP|CONTACT_SUPPORT|W
136|NVLink training failed|RESET_GPU|INVESTIGATE_LINK_SI|W
137|NVLink privilege error|IGNORE|XID_137_FLOW|WC
138|Not used|CONTACT_SUPPORT||W
139|Optical flow engine 1 error|RESTART_APP|CONTACT_SUPPORT|W
140|ECC error that was not recovered|RESET_GPU|CONTACT_SUPPORT|FRH
141|CUDA fast path error|IGNORE|CONTACT_SUPPORT|W
142|Video encoder 3 error|CONTACT_SUPPORT||W
143|GPU did not initialise|RESET_GPU|CONTACT_SUPPORT|FH
144|NVLink 5 SAW error|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|WR
145|NVLink 5 RLW error|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|WR
146|NVLink 5 TLW error|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|WR
147|NVLink 5 TREX error|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|WR
148|NVLink 5 NVLPW_CTRL error|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|WR
149|NVLink 5 NETIR error|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|WR
150|NVLink 5 MSE error|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|WR
151|Key rotation error|RESTART_VM|CONTACT_SUPPORT|WR
152|Deep learning accelerator memory error|IGNORE|CONTACT_SUPPORT|I
153|Deep learning accelerator timeout|IGNORE|CONTACT_SUPPORT|I
154|Recovery action changed|XID_154||W
155|NVLink error defined by software|RESET_GPU|INVESTIGATE_SW_USER|WR
156|Resource retired|RESET_GPU|IGNORE|WR
157|Resource could not be retired|IGNORE|CONTACT_SUPPORT|I
158|Fatal GPU timeout|RESET_GPU|CONTACT_SUPPORT|WR
159|Coherent interconnect error without data|CHECK_UVM|SYMPATHETIC_REPORT_SOLO|W
160|Channel retired|IGNORE|INVESTIGATE_SW|W
161|Channel could not be retired|IGNORE|INVESTIGATE_SW|I
162|Power smoothing back on|||I
163|Power smoothing off|||WR
164|Power smoothing near its end of life|||I
165|Power smoothing worn out|||I
166|Unencrypted traffic on a confidential link|||WR
167|Fatal PCIe timeout|||WR
168|GPU memory capacity reduced|||W
169|Security controller halted|||WR
170|NVLink interrupt in confidential mode|||WC
171|Uncorrectable DRAM error|||W
172|Uncorrectable SRAM error|||WR
173|Fatal chip-to-chip link failure|||WR
`;
