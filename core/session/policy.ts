/** What a new password must be like; checked on both sides with the same words. */
export interface PasswordPolicy {
  minLength: number
  /** How many of lower case, upper case, digits and signs must be there. */
  classes: number
  /** Days after which it has to be changed; undefined means never. */
  maxDays: number | undefined
}

/**
 * `asvs`: OWASP ASVS 5.0, 6.2.1 and 6.2.5 forbid forced composition and rotation; domain 1.19 asks for letters and digits.
 * `dengbao`: 等保 2.0 asks for composition and periodic change.
 */
export const passwordPolicies: Readonly<Record<'asvs' | 'dengbao', PasswordPolicy>> = {
  asvs: { minLength: 8, classes: 2, maxDays: undefined },
  dengbao: { minLength: 10, classes: 3, maxDays: 90 },
}

/** Passwords that everybody tries first. */
const COMMON = new Set([
  '12345678', '123456789', '1234567890', 'password', 'password1', 'password123', 'qwerty123', 'abc12345', 'abcd1234', 'a1234567', 'aa123456',
  'a12345678', 'admin123', 'admin1234', 'administrator1', 'daoyuan123', 'woaini1314', 'woaini520', '1qaz2wsx', 'qwer1234', 'q1w2e3r4', 'iloveyou1',
  'asd12345', 'zxc12345', '11111111a', 'a11111111', '88888888a', 'test1234', 'welcome1', 'passw0rd', 'p@ssw0rd', 'abc123456', 'qq123456', '123456abc',
])

/**
 * Checks a new password.
 * @returns one Chinese sentence, or undefined when it is good
 */
export function passwordProblem(policy: PasswordPolicy, password: string, account: string): string | undefined {
  if ([...password].length < policy.minLength) return `密码至少 ${policy.minLength} 位`
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((pattern) => pattern.test(password)).length
  if (policy.classes === 2 && !(/[a-zA-Z]/.test(password) && /[^a-zA-Z]/.test(password))) return '密码须同时包含字母和数字'
  if (classes < policy.classes) return '密码须包含大写字母、小写字母、数字、符号中的至少三种'
  if (password.toLowerCase().includes(account.toLowerCase())) return '密码不能包含账号'
  if (COMMON.has(password.toLowerCase())) return '密码过于常见，请换一个'
  return undefined
}
