// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Whether this is built with a sanitizer, which needs more of the system than the program itself.
#ifndef SHEAF_SERVER_MODELS_SANITIZED_H_
#define SHEAF_SERVER_MODELS_SANITIZED_H_

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SRV_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SRV_SANITIZED 1
#endif
#endif
#ifndef SRV_SANITIZED
#define SRV_SANITIZED 0
#endif

#endif  // SHEAF_SERVER_MODELS_SANITIZED_H_
