import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { Province } from '../../core/field/region.ts'

/** A subject as pickers need it. */
export interface Cat {
  id: number
  /** With its stage when all stages are asked for. */
  name: string
  /** Null for the entry that stands for every subject. */
  level: number | null
  name_full: string
  root_label_id: number | null
}

const flag = z.optional(z.enum(['0', '1'], '参数有误'))

/** spec 3 and 7: subjects of a stage, or of all stages (9, also when absent) with the stage behind the name. */
export const cats = defineEndpoint<{ subjects: Cat[] }>()({
  method: 'GET',
  path: '/daoyuan/api/cats',
  summary: '学科；ebook=1 加上理综，all=1 加上全部学科',
  grant: 'staff',
  input: z.object({ education_level: z.optional(z.enum(['0', '1', '2', '9'], '学段有误')), ebook: flag, all: flag }),
})

export const channels = defineEndpoint<{ channels: { id: number; name: string; kind: number }[] }>()({
  method: 'GET', path: '/daoyuan/api/channels', summary: '渠道，供选择', grant: 'staff',
})

/** spec 3: the tree of provinces, cities and counties. */
export const provinceTree = defineEndpoint<{ provinces: readonly Province[] }>()({
  method: 'GET', path: '/daoyuan/api/provinces', summary: '省市县', grant: 'staff',
})
