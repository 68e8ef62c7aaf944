import type { MessageInstance } from 'antd/es/message/interface'
import type { CallError } from '../endpoint/wire.ts'
import { ERROR_TOAST_MS } from '../ui/toast.ts'

/** How much of a request's id is shown: enough to find it in the server's log. */
const SHOWN_ID = 8

/**
 * Shows what the server said, red, for five seconds (spec 8). Calls that fail together for one reason are one toast; a
 * failure of the server itself carries the number under which its log has it.
 */
export function showFailure(message: MessageInstance, { message: sentence, status, requestId }: Pick<CallError, 'message' | 'status' | 'requestId'>): void {
  void message.error({
    key: `failure ${sentence}`,
    duration: ERROR_TOAST_MS / 1000,
    content: status >= 500 && requestId ? <><span>{sentence}</span><small className="request-id">编号 {requestId.slice(0, SHOWN_ID)}</small></> : sentence,
  })
}
