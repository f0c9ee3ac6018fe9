#pragma once
#include <malloc.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <curl/curl.h>

// Swift cannot call variadic C functions: one typed wrapper for each kind of argument that we pass.
static inline CURLcode halcyon_curl_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode halcyon_curl_setopt_off(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode halcyon_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode halcyon_curl_setopt_bytes(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode halcyon_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode halcyon_curl_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode halcyon_curl_getinfo_off(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode halcyon_curl_getinfo_string(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode halcyon_curl_setopt_write(CURL *handle, CURLoption option, curl_write_callback function) {
    return curl_easy_setopt(handle, option, function);
}
static inline CURLcode halcyon_curl_setopt_open_socket(CURL *handle, curl_opensocket_callback function) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}
static inline CURLcode halcyon_curl_setopt_prerequest(CURL *handle, curl_prereq_callback function) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}
static inline CURLcode halcyon_curl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}
static inline CURLcode halcyon_curl_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode halcyon_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
// The result stands in a union, which Swift shows as raw storage.
static inline CURLcode halcyon_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}
// `addr` is larger than its declared type for IPv6: Swift must not copy it.
static inline const struct sockaddr *halcyon_curl_sockaddr(const struct curl_sockaddr *address) {
    return &address->addr;
}
// memfd_create needs _GNU_SOURCE, which Swift's Glibc module may be built without.
static inline int halcyon_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
}
// CURLVERSION_NOW is a macro. NULL if this libcurl was built without a bundle of its own.
static inline const char *halcyon_curl_ca_file(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}
// Not declared without _GNU_SOURCE either; names the calling thread in debuggers and `top -H`.
static inline void halcyon_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
