import { Link } from 'react-router'
import { present, type Presentation } from '../../core/resource/present.tsx'
import type { Companion } from './companion.ts'
import { termsPath } from './kind.ts'
import { PackEditor } from './pack-editor.tsx'
import { PACK_STATE } from './pack.ts'
import { PublishDialog } from './terms/publish-dialog.tsx'

/** Lesson packs: the standard list, what they hold, and a further version of what is on the shelf. */
export function presentPacks(companion: Companion): Presentation {
  const { packs, kind } = companion
  const own = kind.screens.tutor !== undefined
  return present(packs)({
    cells: own ? {
      name: ({ row, value }) => <Link to={`${kind.screens.packs}/${row.id}`}>{value}</Link>,
      ...(kind.screens.terms && { term_cnt: ({ row, value }: { row: { id: number }; value: unknown }) => <Link to={termsPath(kind.screens, row.id)}>{Number(value ?? 0) > 0 ? `${String(value)} 个` : '添加'}</Link> }),
    } : {},
    slots: { details: [{ key: 'items', label: '内容', Content: ({ row, reload }) => <PackEditor key={row.rev} companion={companion} pack={row} onSaved={reload} /> }] },
    rowActions: [{ key: 'publish', label: '发布新版本', grant: packs.rights.id('approve'), visible: (row) => row.state === PACK_STATE.shelved, }],
    dialogs: { publish: ({ row, reload, onClose }) => <PublishDialog companion={companion} pack={row} onClose={onClose} onDone={reload} /> },
  })
}
