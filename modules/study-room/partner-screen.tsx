import { ListsPage } from '../../core/list/lists-page.tsx'
import { PartnerContacts } from './partner-contacts.tsx'
import partners from './partner-view.tsx'
import { partner } from './partner.ts'

/** 合伙人: all of them, and whom to call this week. */
export default function PartnerScreen() {
  return <ListsPage label="全部或本周该联系" views={[
    { key: 'partners', label: '全部', resource: partner, presentation: partners },
    { key: 'contacts', label: '本周该联系谁', Content: PartnerContacts },
  ]} />
}
