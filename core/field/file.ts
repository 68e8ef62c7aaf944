import * as z from 'zod/mini'
import { DOCUMENTS, IMAGES, VIDEOS } from '../file/kinds.ts'
import type { Field } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface FileField<R extends boolean = boolean> extends Field<string, R> {
  readonly kind: 'image' | 'file' | 'video'
  /** MIME types that are taken; the server looks at the content, not at the name. */
  readonly accept: readonly string[]
  /** Largest file, in bytes. */
  readonly maxBytes: number
}

/** Several pictures, in order. */
export interface ImagesField<R extends boolean = boolean> extends Field<string[], R> {
  readonly kind: 'images'
  readonly accept: readonly string[]
  /** Largest picture, in bytes. */
  readonly maxBytes: number
  /** How many there may be. */
  readonly most: number
}

const LIMITS = { image: IMAGES, file: DOCUMENTS, video: VIDEOS } as const

const address = z.string('请上传文件').check(z.regex(/^\/daoyuan\/api\/end\/files\/[0-9a-f-]{36}$/, '请重新上传文件'))

function fileField<Kind extends 'image' | 'file' | 'video', R extends boolean>(
  kind: Kind, label: string, options: Options<R, { accept?: readonly string[]; maxBytes?: number }>,
) {
  const limits = LIMITS[kind]
  return {
    ...makeField(label, options, {
      kind,
      files: true,
      ask: '请上传',
      column: 'text',
      filter: null,
      schema: address,
      sheet: { type: 'text', example: '' },
    }),
    accept: options.accept ?? limits.accept,
    maxBytes: options.maxBytes ?? limits.maxBytes,
  }
}

/** An uploaded picture, kept by the address that serves it. */
export function image<const R extends boolean = false>(label: string, options: Options<R> = {}): FileField<R> {
  return fileField('image', label, options)
}

/** An uploaded file, kept by the address that serves it. */
export function file<const R extends boolean = false>(
  label: string, options: Options<R, { accept?: readonly string[]; maxBytes?: number }> = {},
): FileField<R> {
  return fileField('file', label, options)
}

/** An uploaded MP4 video of up to 4 GB, kept by the address that serves it; it is uploaded in pieces. */
export function video<const R extends boolean = false>(label: string, options: Options<R> = {}): FileField<R> {
  return fileField('video', label, options)
}

/** Uploaded pictures, kept by the addresses that serve them; nine at most by default (domain 0.4). */
export function images<const R extends boolean = false>(label: string, options: Options<R, { most?: number }> = {}): ImagesField<R> {
  const most = options.most ?? 9
  return {
    ...makeField(label, options, {
      kind: 'images',
      files: true,
      ask: '请上传',
      column: 'text[]',
      filter: null,
      schema: z.array(address, '应为列表').check(z.overwrite((list) => [...new Set(list)]), z.maxLength(most, `最多 ${most} 张`)),
      sheet: { type: 'text', example: '' },
      toSheet: (value) => value.join('\n'),
    }),
    ...IMAGES,
    most,
  }
}
