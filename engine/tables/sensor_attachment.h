// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What sensors are attached to. Each way of being attached has one row here, and one in mjcf/sensor_kind.c that says
// how MJCF writes it.
//
//   A(ATTACHMENT, OBJECT, REFERENCE)
//     OBJECT, REFERENCE   a row of the second table: what the object and the reference of the sensor must be
//
//   O(OBJECT, TYPES, need)
//     TYPES       types (mjtObj) that the object may have: T(SITE) is the bit of mjOBJ_SITE; PLACES and BULKS are sets
//                 of bits (model/sensor_row.c)
//     need        words of the compiler's error for any other object: "needs a site"
#ifndef SHEAF_TABLES_SENSOR_ATTACHMENT_H_
#define SHEAF_TABLES_SENSOR_ATTACHMENT_H_

#define MJI_SENSOR_ATTACHMENTS(A)           \
  A(NOTHING, ANY, ANY)                      \
  A(SITE, SITE, ANY)                        \
  A(SITE_IN_CAMERA, SITE, CAMERA)           \
  A(JOINT, SCALAR_JOINT, ANY)               \
  A(LIMITED_JOINT, LIMITED_JOINT, ANY)      \
  A(BALL, BALL_JOINT, ANY)                  \
  A(TENDON, TENDON, ANY)                    \
  A(LIMITED_TENDON, LIMITED_TENDON, ANY)    \
  A(ACTUATOR, ACTUATOR, ANY)                \
  A(BODY, BODY, ANY)                        \
  A(FRAME, FRAME, FRAME_OR_NONE)            \
  A(FRAME_IN_FRAME, FRAME, FRAME_OR_NONE)   \
  A(FRAME_IN_SITE, FRAME, CONTAINER)        \
  A(TWO_SURFACES, SURFACE, SURFACE)         \
  A(CONTACT, CONTACT_SIDE, CONTACT_PARTNER) \
  A(MESH_ON_GEOM, MESH, GEOM)

// clang-format off
#define MJI_SENSOR_OBJECTS(O)                                                                         \
  O(ANY,             ~0u,                          "")                                                \
  O(SITE,            T(SITE),                      "a site")                                          \
  O(CONTAINER,       T(SITE),                      "a site to be inside of")                          \
  O(BODY,            T(BODY),                      "a body")                                          \
  O(GEOM,            T(GEOM),                      "a geom")                                          \
  O(MESH,            T(MESH),                      "a mesh")                                          \
  O(CAMERA,          T(CAMERA),                    "a camera to project into")                        \
  O(TENDON,          T(TENDON),                    "a tendon")                                        \
  O(LIMITED_TENDON,  T(TENDON),                    "a tendon with limits")                            \
  O(ACTUATOR,        T(ACTUATOR),                  "an actuator")                                     \
  O(SCALAR_JOINT,    T(JOINT),                     "a hinge or slide joint")                          \
  O(LIMITED_JOINT,   T(JOINT),                     "a joint with limits")                             \
  O(BALL_JOINT,      T(JOINT),                     "a ball joint")                                    \
  O(FRAME,           PLACES,                       "a body, xbody, geom, site or camera")             \
  O(FRAME_OR_NONE,   PLACES | T(UNKNOWN),          "a body, xbody, geom, site or camera to refer to") \
  O(SURFACE,         T(BODY) | T(GEOM),            "two bodies or geoms")                             \
  O(CONTACT_SIDE,    BULKS | T(SITE) | T(UNKNOWN), "a site, body, xbody or geom, or nothing")         \
  O(CONTACT_PARTNER, BULKS | T(UNKNOWN),           "a body, xbody or geom to refer to, or nothing")
// clang-format on

#endif  // SHEAF_TABLES_SENSOR_ATTACHMENT_H_
