#pragma once
#include <netinet/in.h>
#include <sys/socket.h>
#include <microhttpd.h>
