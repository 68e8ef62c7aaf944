import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, QRCode, Skeleton, Space } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { CopyButton } from '../../core/form/copy-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present } from '../../core/resource/present.tsx'
import { copyQuestionnaire, questionnaireLink } from './calls.ts'
import { Designer } from './designer-screen.tsx'
import { FiguresScreen } from './figures-screen.tsx'
import { questionnaire, QUESTIONNAIRE_PATH, QUESTIONNAIRE_RIGHTS, QUESTIONNAIRE_STATE } from './questionnaire.ts'
import './questionnaire.css'

type Row = WireRow<typeof questionnaire>
const designPath = (id: number) => `${QUESTIONNAIRE_PATH}?show=design&id=${id}`
const figuresPath = (id: number) => `${QUESTIONNAIRE_PATH}?show=figures&id=${id}`

/** 投放: the address of its page and the code that leads there. */
function LinkDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const { data, error } = useQuery({ queryKey: ['questionnaire-link', row.id, row.rev], queryFn: ({ signal }) => call(questionnaireLink, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const url = data?.path ? new URL(data.path, location.origin).href : ''
  return (
    <Modal open title={`投放 · ${row.title}`} footer={null} onCancel={onClose} destroyOnHidden>
      {error && <Alert type="error" showIcon title={error.message} />}
      {!data && !error && <Skeleton active />}
      {data?.path && <Space orientation="vertical" align="center" className="wide"><QRCode value={url} size={200} /><code>{url}</code><Space><CopyButton text={url} label="复制链接" /><Button href={url} target="_blank" rel="noreferrer">打开页面</Button></Space><p className="note">微信扫码或点链接即可填写。学习端应用会对{row.lines && row.lines.length > 0 ? '所选产品线的学员' : '所有学员'}弹出。</p></Space>}
    </Modal>
  )
}

/** Leads from a row to a page of its own. */
const leadTo = (path: (id: number) => string) => function Lead({ row, onClose }: { row: Row; onClose: () => void }) {
  const navigate = useNavigate()
  const go = useEffectEvent(() => { onClose(); void navigate(path(row.id)) })
  useEffect(() => go(), [])
  return null
}

const presentation = present(questionnaire)({
  cells: { title: ({ value, row }) => <Link to={row.state === QUESTIONNAIRE_STATE.draft ? designPath(row.id) : figuresPath(row.id)}>{value}</Link> },
  rowActions: [
    { key: 'design', first: true, label: '设计', grant: questionnaire.actions.edit ?? 0, visible: (row) => row.state === QUESTIONNAIRE_STATE.draft },
    { key: 'figures', first: true, label: '统计', grant: QUESTIONNAIRE_RIGHTS.id('answers'), visible: (row) => row.state !== QUESTIONNAIRE_STATE.draft },
    { key: 'link', label: '投放', visible: (row) => row.state === QUESTIONNAIRE_STATE.live || row.state === QUESTIONNAIRE_STATE.paused },
    { key: 'words', label: '改文字', grant: questionnaire.actions.edit ?? 0, visible: (row) => row.state === QUESTIONNAIRE_STATE.live || row.state === QUESTIONNAIRE_STATE.paused },
    { key: 'copy', label: '复制', grant: questionnaire.actions.edit ?? 0, run: async (row, { reload }) => { await call(copyQuestionnaire, undefined, { params: { id: row.id } }); reload() } },
  ],
  dialogs: { link: LinkDialog, design: leadTo(designPath), words: leadTo(designPath), figures: leadTo(figuresPath) },
})

export default presentation

/** Reads one questionnaire and shows it in one of the two ways. */
function One({ id, as: As }: { id: number; as: (props: { row: Row }) => React.ReactNode }) {
  const { data, error } = useQuery({ queryKey: ['questionnaire', id], staleTime: 0, gcTime: 0, queryFn: ({ signal }) => request<Row>('GET', `${questionnaire.api.item}/${id}`, {}, { signal, quiet: true }) })
  if (error) return <section className="page-body"><Alert type="error" showIcon title={error.message} action={<Link to={QUESTIONNAIRE_PATH}>回到问卷</Link>} /></section>
  return data ? <As key={data.id} row={data} /> : <section className="page-body"><Skeleton active /></section>
}

/** 问卷调查: the list, the designer of one, or what came back. */
export function QuestionnaireScreen() {
  const [search] = useSearchParams()
  const [show, id] = [search.get('show'), Number(search.get('id'))]
  if (show === 'design' && id > 0) return <One id={id} as={Designer} />
  if (show === 'figures' && id > 0) return <One id={id} as={FiguresScreen} />
  return <ListPage resource={questionnaire} presentation={presentation} />
}
