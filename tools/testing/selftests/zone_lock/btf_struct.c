// SPDX-License-Identifier: GPL-2.0
/*
 * As much of BTF as it takes to find the members of a structure. Documentation/bpf/btf.rst
 * has the format: a header, types of different lengths numbered from 1, strings.
 */
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf_struct.h"

struct btf {
	char *data;
	const char *strings;
	struct btf_type **types;	/* [0] is void */
	unsigned int nr_types;
};

/* What follows struct btf_type, by kind. */
static size_t extra_size(const struct btf_type *t)
{
	size_t n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:		return sizeof(__u32);
	case BTF_KIND_ARRAY:		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:	return n * sizeof(struct btf_param);
	case BTF_KIND_VAR:		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:		return n * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:		return sizeof(struct btf_decl_tag);
	default:			return 0;
	}
}

static int index_types(struct btf *btf)
{
	const struct btf_header *h = (void *)btf->data;
	char *at = btf->data + h->hdr_len + h->type_off, *end = at + h->type_len;

	btf->strings = btf->data + h->hdr_len + h->str_off;
	/* No type is shorter than its header. */
	btf->types = calloc(h->type_len / sizeof(struct btf_type) + 1, sizeof(*btf->types));
	if (!btf->types)
		return -1;
	for (btf->nr_types = 1; at < end; btf->nr_types++) {
		struct btf_type *t = (void *)at;

		btf->types[btf->nr_types] = t;
		at += sizeof(*t) + extra_size(t);
	}
	return at == end ? 0 : -1;
}

struct btf *btf_open(const char *path)
{
	struct btf *btf = calloc(1, sizeof(*btf));
	FILE *f = fopen(path, "r");
	size_t size = 0, room = 0, n;
	const struct btf_header *h;

	if (!btf || !f)
		goto error;
	do {
		char *more;

		room = room ? 2 * room : 1 << 20;
		more = realloc(btf->data, room);
		if (!more)
			goto error;
		btf->data = more;
		n = fread(btf->data + size, 1, room - size, f);
		size += n;
	} while (size == room);

	h = (void *)btf->data;
	if (size < sizeof(*h) || h->magic != BTF_MAGIC ||
	    (size_t)h->hdr_len + h->type_off + h->type_len > size ||
	    (size_t)h->hdr_len + h->str_off + h->str_len > size || index_types(btf))
		goto error;
	fclose(f);
	return btf;
error:
	if (f)
		fclose(f);
	btf_close(btf);
	return NULL;
}

void btf_close(struct btf *btf)
{
	if (!btf)
		return;
	free(btf->types);
	free(btf->data);
	free(btf);
}

static size_t size_of(struct btf *btf, __u32 id, size_t *element)
{
	size_t count = 1, size = 0;

	while (id && id < btf->nr_types) {
		const struct btf_type *t = btf->types[id];
		const struct btf_array *a = (void *)(t + 1);

		switch (BTF_INFO_KIND(t->info)) {
		case BTF_KIND_ARRAY:
			count *= a->nelems;
			id = a->type;
			continue;
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_TYPE_TAG:
			id = t->type;
			continue;
		case BTF_KIND_PTR:
			size = sizeof(void *);
			break;
		default:
			size = t->size;
		}
		break;
	}
	*element = size;
	return count * size;
}

int btf_member(struct btf *btf, const char *name, const char *member,
	       size_t *start, size_t *size, size_t *element)
{
	unsigned int i, m;

	for (i = 1; i < btf->nr_types; i++) {
		const struct btf_type *t = btf->types[i];
		const struct btf_member *list = (void *)(t + 1);

		if (BTF_INFO_KIND(t->info) != BTF_KIND_STRUCT ||
		    strcmp(btf->strings + t->name_off, name))
			continue;
		for (m = 0; m < BTF_INFO_VLEN(t->info); m++) {
			__u32 bits = list[m].offset;

			if (strcmp(btf->strings + list[m].name_off, member))
				continue;
			if (BTF_INFO_KFLAG(t->info))
				bits = BTF_MEMBER_BIT_OFFSET(bits);
			*start = bits / 8;
			*size = size_of(btf, list[m].type, element);
			return 0;
		}
	}
	return -1;
}
