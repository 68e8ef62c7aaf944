/**
 * The error catalogue: every failure that reaches a user is declared once, with its status and its exact words.
 * The wire envelope is `{ detail, fields? }`; the console shows `detail` in red for five seconds (spec 8, 9).
 */

/** A failure whose `message` is one Chinese sentence that may be shown to the user as it is. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: string
  readonly status: number
  /** One sentence for each wrong field, keyed by field name. */
  readonly fields: Record<string, string> | undefined
  /** Further data of the envelope, such as the current row of a stale write. */
  readonly extra: Record<string, unknown> | undefined

  constructor(
    code: string,
    status: number,
    message: string,
    details: { fields?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.fields = details.fields
    this.extra = details.extra
  }
}

/**
 * Declares one kind of failure.
 * @param code stable name, for logs and tests
 * @param status HTTP status
 * @param words builds the Chinese sentence from typed details
 * @example const notTeacher = defineError('not_teacher', 403, () => '您还不是老师，请联系运营人员')
 */
export function defineError<Args extends unknown[]>(
  code: string,
  status: number,
  words: (...args: Args) => string,
): (...args: Args) => AppError {
  return (...args) => new AppError(code, status, words(...args))
}

/** spec 8: the session is unknown or over; the console goes to the login page on exactly these words. */
export const badToken = defineError('bad_token', 401, () => '错误的token')
/** spec 8: the staff call succeeded without staff data. */
export const staffMissing = defineError('staff_missing', 401, () => '登录已失效，请重新登录.')
/** spec 8: shown when the reason for a failed staff call is unknown. */
export const STAFF_FETCH_FAILED = '获取用户信息失败'
/** spec 8: shown when the server gave no reason. */
export const SERVER_ERROR = '服务器错误！'
/** spec 6 and 8. @public for the modules of teachers */
export const notTeacher = defineError('not_teacher', 403, () => '您还不是老师，请联系运营人员')
/** spec 8, literally. */
export const FULLSCREEN_UNSUPPORTED = 'you browser can not work'

export const notGranted = defineError('not_granted', 403, (title: string) => `没有「${title}」权限，请联系管理员开通`)
export const outOfScope = defineError('out_of_scope', 403, (label: string) => `该${label}不在您的数据范围内，不能这样保存`)
export const notFound = defineError('not_found', 404, (label: string) => `${label}不存在或已被删除`)
export const noSuchCall = defineError('no_such_call', 404, () => '接口不存在')
export const badCsrf = defineError('bad_csrf', 403, () => '页面已过期，请刷新后重试')
export const wrongLogin = defineError('wrong_login', 400, () => '账号或密码错误')
/** Two records are to become one, and both have something of which there can be only one. */
export const mergeConflict = defineError('merge_conflict', 409, (label: string) => `两个账号都有「${label}」且不能重复，请先删除其中一方的再合并`)
/** What still needs a record that is to be removed, with how many: 3,305 个授权码、12 个授权码批次. */
export const stillUsed = defineError('still_used', 409, (label: string, by: string) => `该${label}还被 ${by}使用，不能删除`)
/** A record is to be restored that names one which is not there any more. */
export const targetGone = defineError('target_gone', 409, (label: string, name: string) => `${label}「${name}」已被删除，请先恢复它`)
export const targetPurged = defineError('target_purged', 409, (label: string) => `${label}已被彻底删除，不能恢复`)
export const wrongState = defineError('wrong_state', 409, (action: string, state: string) => `当前状态为「${state}」，不能${action}`)
export const tooLarge = defineError('too_large', 413, (limit: string) => `文件不能超过 ${limit}`)
/** The database cannot be reached or answers nobody at the moment; what was typed is sent again by the person. */
export const databaseGone = defineError('database_gone', 503, () => '数据库暂时没有响应，请稍后重试')
export const diskFull = defineError('disk_full', 503, () => '服务器磁盘空间不足，暂时不能保存，请联系管理员')
/** The demo is still being made; what people wrote meanwhile could be in its way. */
export const demoFilling = defineError('demo_filling', 503, () => '正在生成演示数据，完成后才能保存，请稍等片刻再试')
export const badRequest = defineError('bad_request', 400, (sentence: string) => sentence)
/** Somebody guessed too often; a lock, not a limit that everybody meets. */
export const locked = defineError('locked', 429, (sentence: string) => sentence)
export const unknownFilter = defineError('unknown_filter', 400, (key: string) => `没有「${key.slice(0, 40)}」这个筛选条件`)
export const tooMany = defineError('too_many', 429, (sentence: string) => sentence)

/**
 * Wrong input, named field by field.
 * @param fields one sentence for each wrong field; the first becomes the one sentence of the whole
 */
export function invalid(fields: Record<string, string>): AppError {
  return new AppError('invalid', 400, Object.values(fields)[0] ?? '提交的内容有误', { fields })
}

/** A record that has a unique value already. */
export interface Holder {
  id: number
  name: string
}

/**
 * A value that must be unique and is taken; `key` names the field when it is known.
 * @param holder who has it, for those who may open that record
 */
export function duplicate(label: string, value: string, key?: string, holder?: Holder): AppError {
  const message = holder ? `${label}「${value}」已存在（${holder.name}）` : `${label}「${value}」已存在`
  return new AppError('duplicate', 409, message, { ...(key && { fields: { [key]: message } }), ...(holder && { extra: { holder } }) })
}

/**
 * A stale write: somebody else saved the record in between.
 * @param who name of the colleague who saved last
 * @param current the record as it stands now, for the merge
 */
export function staleWrite(who: string | undefined, current: unknown): AppError {
  const by = who ? `（${who}）` : ''
  return new AppError('stale_write', 409, `该记录已被他人修改${by}`, { extra: { current } })
}
