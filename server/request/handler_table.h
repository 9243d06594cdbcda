// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One row per request type: REQUEST(type, name, message, run, flags).
// The dispatcher unpacks the control message and checks what the flags say; `run` ends the call now or later.
REQUEST(HELLO, "hello", hello, srv_req_hello, 0)
REQUEST(PING, "ping", ping, srv_req_ping, 0)
REQUEST(SERVER_INFO, "server_info", server_info, srv_req_server_info, 0)
REQUEST(CANCEL, "cancel", cancel, srv_req_cancel, 0)
REQUEST(MODEL_PUT, "model_put", model_put, srv_req_model_put, SRV_REFUSE_DRAINING | SRV_UPLOAD)
REQUEST(MODEL_INFO, "model_info", model_info, srv_req_model_info, 0)
REQUEST(MODEL_LIST, "model_list", model_list, srv_req_model_list, 0)
REQUEST(MODEL_UNLOAD, "model_unload", model_unload, srv_req_model_unload, 0)
REQUEST(REGION, "region", region, srv_req_region, SRV_REFUSE_DRAINING)
REQUEST(REGION_CLOSE, "region_close", region_close, srv_req_region_close, 0)

// those that compute
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) \
  REQUEST(KIND, #name, name, srv_req_compute, SRV_REFUSE_DRAINING | SRV_EARLY | SRV_COMPUTE)
#include <sheaf/request_table.h>
