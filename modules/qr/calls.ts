import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import type { BlockTarget } from '../outline/module.ts'
import { kindsOf, MAX_URL, type QrResource } from './qr-code.ts'

/** How often a code was scanned on one day. */
export interface ScanDay {
  /** Its beginning, in unix seconds. */
  day: number
  n: number
  people: number
}

/** The calls of a list of codes beside those of every record. */
export function qrEndpoints(codes: QrResource) {
  const { api: { item, list }, grant, label } = codes
  const retarget = [codes.rights.id('retarget')]
  const kinds = kindsOf(codes).map(({ value }) => value)
  return {
    /** Leads a code to something else: the code stays, whatever is printed. */
    retarget: defineEndpoint<WireRow<QrResource>>()({
      method: 'PUT', path: `${item}/{id}/target`, summary: `${label}改指向`, grant: retarget,
      input: z.object({
        kind: z.enum(kinds, '请选择指向的类型'),
        ref_id: z.optional(z.int('请选择内容').check(z.positive('请选择内容'))),
        url: z.optional(z.string('网址应为文字').check(z.trim(), z.maxLength(MAX_URL, `网址最多 ${MAX_URL} 个字`))),
        reason: z.optional(reasonSchema),
        rev: z.optional(z.int('版本有误')),
      }),
    }),
    /** What a code may lead to. */
    targets: defineEndpoint<{ items: BlockTarget[] }>()({
      method: 'GET', path: `${list}/targets`, summary: `${label}可指向的内容`, grant: retarget,
      input: z.object({ kind: z.enum(kinds, '请选择指向的类型'), keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))) }),
    }),
    scans: defineEndpoint<{ days: ScanDay[] }>()({ method: 'GET', path: `${item}/{id}/scans`, summary: `${label}近 30 天扫码`, grant: [grant] }),
    picture: defineEndpoint<unknown>()({ method: 'GET', path: `${item}/{id}/picture`, summary: `${label}的二维码图`, grant: [grant], stream: true }),
    /** Pictures of a book by chapter with a list for the page maker. */
    pictures: defineEndpoint<unknown>()({
      method: 'GET', path: `${list}/pictures`, summary: `下载${label}的二维码图`, grant: [grant], stream: true,
      input: z.object({ book_id: z.string('请选择图书').check(z.regex(/^\d{1,15}$/, '请选择图书')) }),
    }),
  }
}

/**
 * What a printed code opens, in whatever case it was typed: capitals are what is printed. A whole school scans behind one
 * address, and a printed code never fails a child: it is not limited.
 */
export const scanCalls = ['/q/{code}', '/Q/{code}'].map((path) => defineEndpoint<unknown>()({ method: 'GET', path, summary: '扫码', grant: 'public', unlimited: true, stream: true }))
/** The film behind a code. */
export const scanVideo = defineEndpoint<unknown>()({ method: 'GET', path: '/q/{code}/video', summary: '扫码观看的视频', grant: 'public', unlimited: true, stream: true })
