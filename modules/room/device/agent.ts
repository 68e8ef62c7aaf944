import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import type { CommandKind } from './command.ts'

/** Calls of the pads themselves stand apart from those of the console. */
const DEVICE = '/daoyuan/api/device/pad'

/** A command as the pad gets it. It may come again until its result is known: the id says that it is the same one. */
export interface DeviceCommand {
  id: number
  kind: CommandKind
  detail: Record<string, unknown>
  /** Not to be carried out after this moment. */
  expire_at: number
}

/** What a pad has to obey. */
export interface DevicePolicy {
  id: number
  version: number
  /** Names of packages that may be opened. */
  apps: string[]
  /** 1 Monday to 7 Sunday; empty means each day. */
  weekdays: number[]
  /** As 08:00-22:00; null means all day. */
  hours: string | null
  allow_install: boolean
}

export interface DeviceState {
  sn: string
  locked: boolean
  policy: DevicePolicy | null
  commands: DeviceCommand[]
  /** Seconds until the pad should ask again. */
  next_poll: number
}

const version = z.optional(z.string('版本应为文字').check(z.trim(), z.maxLength(20, '版本最多 20 个字')))

/**
 * A pad reports how it is and fetches what it is told. It is nobody's session: `Authorization: Bearer` carries the token
 * that connecting the pad gave.
 */
export const pollPad = defineEndpoint<DeviceState>()({
  method: 'POST', path: `${DEVICE}/poll`, summary: '平板上报状态并领取指令', grant: 'device',
  input: z.object({
    battery: z.optional(z.int('电量应为整数').check(z.gte(0, '电量应为 0 到 100'), z.lte(100, '电量应为 0 到 100'))),
    free_gb: z.optional(z.int('可用存储应为整数').check(z.gte(0, '可用存储有误'), z.lte(4096, '可用存储有误'))),
    os_version: version,
    app_version: version,
    /** Version of the policy that the pad obeys now. */
    policy_version: z.optional(z.int('策略版本有误').check(z.gte(0, '策略版本有误'), z.lte(2_000_000_000, '策略版本有误'))),
  }),
})

/** A pad says what came of a command; where it is, when it was asked for that. */
export const answerCommand = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${DEVICE}/commands/{id}/result`, summary: '平板回报指令结果', grant: 'device',
  input: z.object({
    /** Asked for by the handler: who shows no token is told that first. */
    ok: z.optional(z.boolean('请说明是否成功')),
    message: z.optional(z.string('说明应为文字').check(z.trim(), z.maxLength(200, '说明最多 200 个字'))),
    lng: z.optional(z.number('经度有误').check(z.gte(-180, '经度有误'), z.lte(180, '经度有误'))),
    lat: z.optional(z.number('纬度有误').check(z.gte(-90, '纬度有误'), z.lte(90, '纬度有误'))),
  }),
})
