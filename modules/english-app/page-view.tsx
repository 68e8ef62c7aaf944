import { standardId } from '../../core/grant/grant.ts'
import { present } from '../../core/resource/present.tsx'
import { PageEditor } from './page-editor.tsx'
import { englishPage } from './page.ts'
import { SoundButton } from './sound-button.tsx'

export default present(englishPage)({
  cells: {
    audio: ({ value, row }) => (value ? <SoundButton url={value} label={`播放 ${row.name}`} /> : <span className="lacking">缺</span>),
    silent_cnt: ({ value, row }) => (Number(value) > 0 ? <span className="lacking">{Number(value)}</span> : <span className="whole">{Number(row.region_cnt) > 0 ? '齐' : '—'}</span>),
  },
  rowActions: [{ key: 'regions', first: true, label: '编辑点读', grant: standardId(englishPage.grant, 'edit'), visible: (row) => row.deleted_at === null }],
  dialogs: { regions: PageEditor },
})
