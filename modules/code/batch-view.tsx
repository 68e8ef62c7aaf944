import { PlusOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { useState, type ComponentType } from 'react'
import { Link, useSearchParams } from 'react-router'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { RecordForm } from '../../core/record/record-form.tsx'
import { startOfDay } from '../../core/field/time.ts'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { AppendDialog } from './append-dialog.tsx'
import { BulkActDialog } from './bulk-actions.tsx'
import { CODE_ACTIONS, CODE_STATUS } from './code-state.ts'
import { batchForm } from './batch-form.tsx'
import { ExchangeDialog } from './exchange-dialog.tsx'
import { BATCH_RIGHTS, BATCH_STATUS, MAX_BATCH, type BatchResource, type CodeFamily } from './family.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { pathOf } from './paths.ts'
import { TakeDialog } from './take-dialog.tsx'
import './code.css'

/** How many of a batch's codes are in use, as a bar. */
function Rate({ row, path }: { row: WireRow<BatchResource>; path: string }) {
  const [used, total] = [row.used ?? 0, row.total ?? 0]
  const percent = total > 0 ? (used / total) * 100 : 0
  return (
    <span className="rate">
      <span><Link className="figure" to={`${path}?group_id=${row.id}&status=${CODE_STATUS.used}`}>{used.toLocaleString('zh-CN')}</Link><span className="figure">{percent.toFixed(1)}%</span></span>
      <Progress percent={percent} size="small" showInfo={false} aria-label={`激活率 ${percent.toFixed(1)}%`} />
    </span>
  )
}

const DAY = 86_400
/** Codes are to be activated within half a year by default. */
const REDEEM_DAYS = 180

/** 新增 for batches: it makes the codes too. It opens by itself when another screen asks for it by `?new=` and an owner. */
function createButton(family: CodeFamily, presentation: Presentation) {
  return function Create({ reload }: { reload: () => void }) {
    const can = useCan()
    const [search, setSearch] = useSearchParams()
    const asked = Number(search.get('new'))
    const [open, setOpen] = useState(asked > 0)
    if (!can(standardId(family.batch.grant, 'edit'))) return null
    const close = () => {
      setOpen(false)
      if (!search.has('new')) return
      const next = new URLSearchParams(search)
      next.delete('new')
      setSearch(next, { replace: true })
    }
    return (
      <>
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(true)}>新增{family.batch.label}</Button>
        {open && (
          <RecordForm resource={family.batch} presentation={presentation} onClose={close} onSaved={reload}
            start={{ redeem_before: startOfDay(Date.now() / 1000) + REDEEM_DAYS * DAY, ...(asked > 0 && { [family.owner.key]: asked }) }}
            making={{ label: '生成', done: (batch) => `已生成 ${Number(batch['total']).toLocaleString('zh-CN')} 个${family.label}` }} />
        )}
      </>
    )
  }
}

const cancel = CODE_ACTIONS.find(({ name }) => name === 'cancel')

/** 作废未用: everything of a batch that nobody has activated, as a job. */
function VoidDialog({ family, row, reload, onClose }: RowDialogProps<BatchResource> & { family: CodeFamily }) {
  if (!cancel) return null
  const done = () => {
    reload()
    onClose()
  }
  return (
    <BulkActDialog family={family} action={cancel} meant={{ query: { group_id: [String(row.id)], status: [String(CODE_STATUS.unused)] } }}
      many={`「${row.name}」未使用的 ${(row.left ?? 0).toLocaleString('zh-CN')} 个码`} onClose={onClose} onDone={done} />
  )
}

/** The screen of a family's batches. @param Extra stands beside 新增 */
export function batchPresentation(family: CodeFamily, Extra?: ComponentType): Presentation {
  const { batch, code, label } = family
  const codes = pathOf(code.grant)
  const form = batchForm(family)
  const Create = createButton(family, { form })
  const of = (right: keyof typeof BATCH_RIGHTS) => batch.rights.id(right)
  const living = (row: WireRow<BatchResource>) => row.deleted_at === null
  const open = (row: WireRow<BatchResource>) => living(row) && row.status === BATCH_STATUS.open
  const count = (status?: number) => ({ value, row }: { value: unknown; row: WireRow<BatchResource> }) => (Number(value) > 0
    ? <Link className="figure" to={`${codes}?group_id=${row.id}${status === undefined ? '' : `&status=${status}`}`}>{Number(value).toLocaleString('zh-CN')}</Link> : <span className="figure">0</span>)
  return present(batch)({
    form,
    cells: {
      used: ({ row }) => <Rate row={row} path={codes} />,
      total: count(), left: count(CODE_STATUS.unused), cancelled: count(CODE_STATUS.cancelled), frozen: count(CODE_STATUS.frozen),
    },
    slots: {
      main: Create,
      ...(Extra && { toolbar: () => <Extra /> }),
      details: [{ key: 'activity', label: '激活进度', Content: ({ row }) => <ActivityTab family={family} row={row} /> }],
    },
    rowActions: [
      { key: 'append', label: '追加', grant: of('append'), visible: (row) => open(row) && (row.total ?? 0) < MAX_BATCH && row.redeem_before > Date.now() / 1000 },
      { key: 'take', label: '导出码', grant: of('take'), visible: living },
      { key: 'labels', label: '标签打印', grant: of('take'), visible: (row) => living(row) && (row.left ?? 0) > 0 },
      { key: 'exchange', label: '置换', grant: of('exchange'), visible: (row) => living(row) && (row.left ?? 0) + (row.expired ?? 0) > 0 },
      { key: 'void', label: '作废未用', danger: true, grant: code.rights.id('cancel'), visible: (row) => living(row) && (row.left ?? 0) > 0 },
    ],
    dialogs: {
      append: (props) => <AppendDialog {...props} family={family} />,
      take: ({ row, onClose }) => <TakeDialog family={family} meant={{ query: { group_id: [String(row.id)] } }} title={`导出${label} · ${row.name}`} onClose={onClose} />,
      labels: (props) => <LabelsDialog {...props} family={family} />,
      exchange: (props) => <ExchangeDialog {...props} family={family} />,
      void: (props) => <VoidDialog {...props} family={family} />,
    },
  })
}
