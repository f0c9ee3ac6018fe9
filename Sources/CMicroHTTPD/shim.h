#pragma once
#include <netinet/in.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <microhttpd.h>

/* What a daemon calls. Swift owns the struct and keeps it alive until the daemon has stopped. */
struct halcyon_mhd_callbacks {
    void *context;
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *context, const char *raw_target, struct MHD_Connection *connection);
    void (*message)(void *context, const char *text);
};

/* The message without its arguments: among them are paths and field values of requests. */
static inline void halcyon_mhd_log(void *callbacks, const char *format, va_list arguments) {
    struct halcyon_mhd_callbacks *to = (struct halcyon_mhd_callbacks *)callbacks;
    (void)arguments;
    to->message(to->context, format);
}

/* MHD_start_daemon is variadic; everything that is not a callback comes in `options`, which ends with MHD_OPTION_END. */
static inline struct MHD_Daemon *halcyon_mhd_start(unsigned int flags, struct halcyon_mhd_callbacks *callbacks,
                                                   struct MHD_OptionItem *options) {
    return MHD_start_daemon(flags, 0, NULL, NULL, callbacks->handle, callbacks->context,
                            MHD_OPTION_EXTERNAL_LOGGER, halcyon_mhd_log, callbacks,
                            MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
                            MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
                            MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
                            MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/* MHD_get_connection_info is variadic. The socket of a connection, -1 if there is none. */
static inline int halcyon_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* What MHD_OPTION_NOTIFY_CONNECTION stored with the connection. */
static inline void *halcyon_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* MHD_set_response_options is variadic. The body ends where the connection does, not with a last chunk. */
static inline enum MHD_Result halcyon_mhd_end_by_closing(struct MHD_Response *response) {
    return MHD_set_response_options(response, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END);
}

/* Valid while the connection is. */
static inline const struct sockaddr *halcyon_mhd_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}
