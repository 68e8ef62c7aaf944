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

/**
 * Checks a new password; the server beside that whether it is among the commonest.
 * @returns one Chinese sentence, or undefined when it is good
 */
export function passwordProblem(policy: PasswordPolicy, password: string, account: string): string | undefined {
  if ([...password].length < policy.minLength) return `密码至少 ${policy.minLength} 位`
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((pattern) => pattern.test(password)).length
  if (policy.classes === 2 && !(/[a-zA-Z]/.test(password) && /[^a-zA-Z]/.test(password))) return '密码须同时包含字母和数字'
  if (classes < policy.classes) return '密码须包含大写字母、小写字母、数字、符号中的至少三种'
  if (password.toLowerCase().includes(account.toLowerCase())) return '密码不能包含账号'
  return undefined
}
