import { Alert, Button } from 'antd'
import { CallError } from '../../core/endpoint/wire.ts'

/** What stands in the place of something that could not be read. Trying again changes nothing for a person who may not read it. */
export function ReadFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const closed = error instanceof CallError && error.status === 403
  return <Alert type={closed ? 'warning' : 'error'} showIcon title={error.message} {...(!closed && { action: <Button size="small" onClick={onRetry}>重试</Button> })} />
}
