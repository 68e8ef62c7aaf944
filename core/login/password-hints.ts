import type { PasswordPolicy } from '../session/policy.ts'

export interface PasswordHint {
  text: string
  met: boolean
}

/**
 * What a new password must be like, each with whether it is so yet.
 * The whole is judged by `passwordProblem`, on both sides; this only says it piece by piece while somebody types.
 */
export function passwordHints(policy: PasswordPolicy, password: string, account: string): PasswordHint[] {
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((pattern) => pattern.test(password)).length
  return [
    { text: `至少 ${policy.minLength} 位`, met: [...password].length >= policy.minLength },
    policy.classes === 2
      ? { text: '同时包含字母和数字', met: /[a-zA-Z]/.test(password) && /[^a-zA-Z]/.test(password) }
      : { text: '包含大写字母、小写字母、数字、符号中的至少三种', met: classes >= policy.classes },
    { text: '不包含账号', met: password !== '' && !password.toLowerCase().includes(account.toLowerCase()) },
  ]
}
