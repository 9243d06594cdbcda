// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The description of a model that ModelPut and ModelInfo answer with.
#ifndef SHEAF_SERVER_REQUEST_MODEL_REPLY_H_
#define SHEAF_SERVER_REQUEST_MODEL_REPLY_H_

#include "models/registry.h"
#include "net/conn.h"

// End a call with a ModelInfoReply.
void srv_model_reply(srv_call* call, srv_model* model);

#endif  // SHEAF_SERVER_REQUEST_MODEL_REPLY_H_
