/** Ways to prove who one is, with the words of the login log. */
export const LOGIN_METHODS = { password: '密码', totp: '两步验证', passkey: '通行密钥', oidc: '统一登录' } as const

/** What came of an attempt to log in, with the words of the login log. */
export const LOGIN_RESULTS = {
  ok: '成功',
  step: '待两步验证',
  wrong: '验证失败',
  unknown: '账号不存在',
  disabled: '账号已停用',
  used_up: '重置密码已用过或已过期',
  locked: '失败次数过多，已锁定',
} as const

export type LoginMethod = keyof typeof LOGIN_METHODS
export type LoginResult = keyof typeof LOGIN_RESULTS
