import * as z from 'zod/mini'
import { cellText, foldText, type Field } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface MobileField<R extends boolean = boolean> extends Field<string, R> {
  readonly kind: 'mobile'
}

/** domain 1.19: eleven digits of the mainland's plan. */
export const MOBILE = /^1[3-9]\d{9}$/

/** Middle four digits hidden: 138****5678. */
export function maskMobile(mobile: string): string {
  return mobile.length < 7 ? '*'.repeat(mobile.length) : `${mobile.slice(0, 3)}****${mobile.slice(-4)}`
}

/** Folds width and drops the separators and country code that people type. */
function normalise(text: string): string {
  return foldText(text).replace(/[\s-]/g, '').replace(/^(\+?86)(?=1[3-9]\d{9}$)/, '')
}

/** Headings of a plain mobile number; which of them a list uses is a matter of taste. */
const HEADINGS = ['手机号', '手机', '手机号码']

/** A mobile number, masked on every screen unless revealed. */
export function mobile<const R extends boolean = false>(label: string, options: Options<R> = {}): MobileField<R> {
  return makeField(label, { ...(HEADINGS.includes(label) && { headings: HEADINGS }), ...options }, {
    kind: 'mobile',
    column: 'text',
    filter: 'equals',
    indexed: true,
    // Every look at a whole one is logged.
    hidden: { from: 'everybody', mask: maskMobile, words: '手机号', whole: MOBILE, ends: [3, 4] },
    schema: z.string('请输入正确的手机号').check(z.overwrite(normalise), z.regex(MOBILE, '请输入正确的手机号')),
    sheet: { type: 'text', example: '13800138000', note: '11 位手机号' },
    fromSheet: (cell) => cellText(cell) || null,
    toSheet: (value) => value,
  })
}
