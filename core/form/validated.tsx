import type { FormInstance } from 'antd'

/** What a form holds when its rules are kept; undefined when they are not, which stands at its fields by then. */
export async function validated<Values>(form: FormInstance<Values>): Promise<Values | undefined> {
  try {
    return await form.validateFields()
  } catch (failure) {
    if (typeof failure === 'object' && failure !== null && 'errorFields' in failure) return undefined
    throw failure
  }
}
