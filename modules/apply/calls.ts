import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { mobile } from '../../core/field/mobile.ts'
import type { Resource } from '../../core/resource/define.ts'
import { APPLIES, type ApplyKind } from './apply.ts'

/** What learners' apps may do here: hand in an application and ask how it stands. */
export const APPLY_APP = defineAppScope('apply', '提交入驻申请')

/** Another application that may be the same one. */
export interface LikeApply { id: number; name: string; status: number; why: string; at: number }

/** What somebody who decides about an application looks at beside it. */
export interface ApplyCheck {
  like: LikeApply[]
  /** What stands in the way of an approval; empty where nothing does. */
  problems: string[]
  /** What an approval made, and where it is seen. */
  effect: { label: string; value: string; grant: number; to: string } | null
}

const words = (label: string, max: number) => z.string(`请填写${label}`).check(z.trim(), z.minLength(1, `请填写${label}`), z.maxLength(max, `${label}最多 ${max} 个字`))

/** The check of a kind of applications. */
export const applyCheck = ({ api: { item }, grant, label }: Pick<Resource, 'api' | 'grant' | 'label'>) => defineEndpoint<ApplyCheck>()({ method: 'GET', path: `${item}/{id}/check`, summary: `${label}的查重`, grant: [grant] })

/** Somebody applies by an app of ours; one that was asked for more material is handed in again. */
export const submitApply = defineEndpoint<{ id: number; status: number }>()({
  method: 'POST', path: '/daoyuan/api/device/applies', summary: '提交入驻申请', grant: 'device', app: APPLY_APP,
  input: z.object({
    kind: z.enum(Object.keys(APPLIES) as ApplyKind[], '申请类型有误'),
    applicant: words('姓名', 20),
    mobile: mobile('手机号').schema,
    org: words('单位名称', 60),
    region_code: z.string('请选择地区').check(z.regex(/^\d{2}(\d{2}){0,2}$/, '请选择地区')),
    licence_no: words('证件号', 30),
    licence: z._default(z.array(z.string('请重新上传文件')).check(z.maxLength(6, '最多 6 张')), []),
    subject_id: z.optional(z.int('学科有误').check(z.positive('学科有误'))),
    reason: z.optional(z.string('说明有误').check(z.trim(), z.maxLength(500, '说明最多 500 个字'))),
  }),
})

/** How an application stands, for whoever handed it in. */
export const applyStatus = defineEndpoint<{ status: number; audit_remark: string | null }>()({
  method: 'GET', path: '/daoyuan/api/device/applies', summary: '查询入驻申请', grant: 'device', app: APPLY_APP,
  input: z.object({ kind: z.enum(Object.keys(APPLIES) as ApplyKind[], '申请类型有误'), mobile: mobile('手机号').schema }),
})
