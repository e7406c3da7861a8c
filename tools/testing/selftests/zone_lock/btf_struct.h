/* SPDX-License-Identifier: GPL-2.0 */
/* Where the members of a structure of the running kernel are, from its BTF. */
#ifndef BTF_STRUCT_H
#define BTF_STRUCT_H

#include <stddef.h>

struct btf;

struct btf *btf_open(const char *path);		/* NULL: no such file, or not BTF */
void btf_close(struct btf *btf);

/**
 * btf_member - bytes of a member
 * @btf:     of btf_open()
 * @name:    the structure
 * @member:  its member
 * @start:   offset of the first byte
 * @size:    number of bytes
 * @element: bytes of an element if the member is an array, else @size
 *
 * Return: 0, or -1 if there is no such structure or member.
 */
int btf_member(struct btf *btf, const char *name, const char *member,
	       size_t *start, size_t *size, size_t *element);

#endif /* BTF_STRUCT_H */
