/* The side in C of a society in two languages. */
#ifndef C_SIDE_H
#define C_SIDE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a node, and starts agents in C: c/halver, c/service, c/bidder, c/peer, c/slave, and the
 * part `twice` of the pipeline `p`. */
void start_c_side(const char* realization);
/* Acts on agents in C++: cpp/halver, cpp/service, cpp/bidder, cpp/council. */
void act_from_c(void);
void stop_c_side(void);

#ifdef __cplusplus
}
#endif

#endif
