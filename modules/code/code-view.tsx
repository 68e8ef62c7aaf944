import { EyeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CopyButton } from '../../core/form/copy-button.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { extendPresentation, present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { ActDialog } from './act-dialog.tsx'
import { bulkActions } from './bulk-actions.tsx'
import { codeEndpoints } from './calls.ts'
import { canAct, CODE_ACTIONS, readCodeState, type CodeAction } from './code-state.ts'
import { groupCode } from './code-text.ts'
import type { CodeFamily, CodeResource } from './family.ts'
import { FindBar } from './find-bar.tsx'
import { TimelineTab } from './timeline-tab.tsx'
import './code.css'

/** A masked code; a person who may sees it whole, and every look is logged. */
function CodeCell({ family, row, value }: { family: CodeFamily; row: WireRow<CodeResource>; value: unknown }) {
  const [plain, setPlain] = useState<string>()
  if (plain) return <span className="code-text">{groupCode(plain)} <CopyButton text={plain} label="复制" type="link" size="small" /></span>
  return (
    <>
      <span className="code-text">{String(value)}</span>
      {row.can.includes('reveal') && (
        <Button type="link" size="small" icon={<EyeOutlined />} aria-label={`查看完整的${family.label} ${String(value)}`}
          onClick={() => void call(codeEndpoints(family).reveal, undefined, { params: { id: row.id } }).then((answer) => setPlain(answer.value), () => undefined)} />
      )}
    </>
  )
}

/** Whether an action is offered for a row of codes. */
export function mayAct(action: CodeAction, row: WireRow<CodeResource>): boolean {
  return row.deleted_at === null && canAct(action, readCodeState(row), Date.now() / 1000)
}

/**
 * The screen of a family's codes: the standard list, found by whole codes, with the actions of the state machine.
 * @param own what the family's screen has beside
 */
export function codePresentation(family: CodeFamily, own?: Presentation): Presentation {
  return extendPresentation(present(family.code)({
    cells: { code: ({ value, row }) => <CodeCell family={family} row={row} value={value} /> },
    slots: {
      above: () => <FindBar family={family} />,
      bulk: bulkActions(family),
      details: [{ key: 'timeline', label: '时间线', Content: ({ row }) => <TimelineTab family={family} row={row} /> }],
    },
    rowActions: CODE_ACTIONS.map((action) => ({
      key: action.name, label: action.label, danger: action.danger ?? false, grant: family.code.rights.id(action.right),
      visible: (row) => mayAct(action, row),
    })),
    dialogs: Object.fromEntries(CODE_ACTIONS.map((action) => [action.name, (props: RowDialogProps<CodeResource>) => <ActDialog {...props} family={family} action={action} />])),
  }), own)
}
