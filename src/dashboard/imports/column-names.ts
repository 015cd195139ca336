import { type CodeColumn, codeColumns, enteredFields } from "../../contract/resources/codes/qr-fields.ts";

/**
 * The names that columns have in people's tables, in the languages of the visitors' pages: English, Arabic,
 * German, Spanish, French, Italian, Japanese, Dutch, Polish, Portuguese, Turkish, and Chinese in both scripts.
 */
const names: Readonly<Partial<Record<CodeColumn, readonly string[]>>> = {
  scanUrl: ["Short link", "Short URL", "Scan URL"],
  updatedAt: ["Last changed"],
  externalId: [
    ...[
      "Own id",
      "Your own id",
      "External id",
      "SKU",
      "Article number",
      "Item number",
      "Product number",
      "Artikelnummer",
    ],
    ...[
      "Artikel-Nr.",
      "Número de artículo",
      "Référence article",
      "Codice articolo",
      "商品番号",
      "货号",
      "貨號",
      "料號",
      "商品編號",
    ],
    ...["Numer artykułu", "Número do artigo", "Ürün numarası", "رقم الصنف"],
  ],
  url: [
    ...["URL", "Link", "Destination", "Destination URL", "Address", "Web address", "Website", "Web page"],
    ...["Homepage", "Target", "Target URL", "Long URL", "Landing page", "Hyperlink", "Redirect"],
    ...["رابط", "الرابط", "عنوان", "الوجهة", "الموقع الإلكتروني"],
    ...[
      "Ziel",
      "Ziel-URL",
      "Zieladresse",
      "Webadresse",
      "Webseite",
      "Verknüpfung",
      "Weiterleitung",
      "Adresse",
    ],
    ...["Enlace", "Destino", "URL de destino", "Dirección", "Dirección web", "Sitio web", "Página web"],
    ...["Lien", "URL cible", "URL de destination", "Adresse web", "Site", "Site web", "Cible"],
    ...["Collegamento", "Destinazione", "Indirizzo", "Indirizzo web", "Sito", "Sito web"],
    ...["リンク", "リンク先", "アドレス", "ウェブサイト", "遷移先", "飛び先"],
    ...["Koppeling", "Bestemming", "Doel", "Doel-URL", "Webadres", "Adres"],
    ...["Odnośnik", "Łącze", "Cel", "Docelowy URL", "Adres docelowy", "Strona", "Strona internetowa"],
    ...["Ligação", "Endereço", "Endereço web", "Site de destino"],
    ...["Bağlantı", "Hedef", "Hedef URL", "Web adresi", "Web sitesi"],
    ...["链接", "网址", "目标", "目标网址", "地址", "連結", "網址", "目標網址", "網站", "網頁"],
  ],
  name: [
    ...["Name", "Title", "Label", "Code name", "Location", "Place", "Shop", "Store", "Branch", "Venue"],
    ...["الاسم", "اسم", "العنوان", "الموقع", "المكان", "الفرع"],
    ...["Titel", "Bezeichnung", "Benennung", "Standort", "Ort", "Filiale", "Niederlassung", "Geschäft"],
    ...["Nombre", "Título", "Ubicación", "Lugar", "Tienda", "Sucursal", "Local"],
    ...["Nom", "Titre", "Intitulé", "Libellé", "Emplacement", "Lieu", "Magasin", "Succursale", "Boutique"],
    ...["Nome", "Titolo", "Luogo", "Sede", "Negozio", "Posizione"],
    ...["名前", "名称", "タイトル", "場所", "店舗", "店舗名", "店名"],
    ...["Naam", "Locatie", "Plaats", "Winkel", "Vestiging", "Filiaal"],
    ...["Nazwa", "Tytuł", "Miejsce", "Lokalizacja", "Sklep", "Oddział"],
    ...["Designação", "Localização", "Loja", "Filial"],
    ...["Ad", "İsim", "Başlık", "Konum", "Yer", "Mağaza", "Şube"],
    ...["名字", "标题", "地点", "位置", "门店", "店铺", "名稱", "標題", "地點", "門市", "店鋪", "店名"],
  ],
  tags: [
    ...["Tags", "Tag", "Labels", "Keywords", "Categories", "Category"],
    ...["وسوم", "الوسوم", "كلمات مفتاحية", "الفئات"],
    ...["Schlagworte", "Schlagwort", "Schlagwörter", "Stichworte", "Stichwörter", "Kategorie", "Kategorien"],
    ...["Etiquetas", "Etiqueta", "Palabras clave", "Categoría", "Categorías"],
    ...["Étiquettes", "Étiquette", "Mots-clés", "Mots clés", "Catégorie", "Catégories"],
    ...["Etichette", "Etichetta", "Parole chiave", "Categoria", "Categorie"],
    ...["タグ", "キーワード", "カテゴリ", "カテゴリー"],
    ...["Labels", "Trefwoorden", "Trefwoord", "Categorieën"],
    ...["Tagi", "Etykiety", "Słowa kluczowe", "Kategorie"],
    ...["Palavras-chave", "Categorias"],
    ...["Etiketler", "Etiket", "Anahtar kelimeler", "Kategoriler"],
    ...["标签", "关键词", "类别", "標籤", "關鍵字", "類別", "分類"],
  ],
  folderId: [
    ...["Folder", "Group", "مجلد", "المجلد", "Ordner", "Verzeichnis", "Carpeta", "Dossier", "Répertoire"],
    ...[
      "Cartella",
      "フォルダ",
      "フォルダー",
      "Map",
      "Folder",
      "Katalog",
      "Pasta",
      "Klasör",
      "文件夹",
      "資料夾",
      "群組",
    ],
  ],
  hash: [
    ...["Slug", "Alias", "Short name", "Custom slug", "Back half", "الاسم المختصر", "Kurzname", "Kürzel"],
    ...["Nombre corto", "Alias corto", "Nom court", "Nome breve", "短縮名", "Korte naam", "Krótka nazwa"],
    ...["Nome curto", "Kısa ad", "短名称", "短链", "短名稱"],
  ],
  status: [
    ...["Status", "State", "الحالة", "Zustand", "Estado", "Statut", "État", "Stato", "状態", "ステータス"],
    ...["Toestand", "Stan", "Durum", "状态", "狀態"],
  ],
  startsAt: [
    ...["Start", "Starts", "Start date", "Starts at", "Valid from", "From", "البداية", "تاريخ البدء"],
    ...["Beginn", "Startdatum", "Gültig ab", "Inicio", "Fecha de inicio", "Válido desde", "Début"],
    ...["Date de début", "Valable à partir de", "Inizio", "Data di inizio", "Valido dal", "開始", "開始日"],
    ...["Begin", "Begindatum", "Geldig vanaf", "Początek", "Data rozpoczęcia", "Ważne od", "Início"],
    ...["Data de início", "Başlangıç", "Başlangıç tarihi", "开始", "开始日期", "開始日期"],
  ],
  expiresAt: [
    ...["End", "Ends", "End date", "Expires", "Expiry", "Expiry date", "Valid until", "Until", "النهاية"],
    ...["تاريخ الانتهاء", "Ende", "Enddatum", "Ablauf", "Ablaufdatum", "Gültig bis", "Fin", "Fecha de fin"],
    ...["Caducidad", "Válido hasta", "Date de fin", "Expiration", "Valable jusqu'au", "Fine", "Scadenza"],
    ...["Data di fine", "Valido fino al", "終了", "終了日", "有効期限", "Einde", "Einddatum", "Geldig tot"],
    ...["Koniec", "Data zakończenia", "Ważne do", "Fim", "Data de fim", "Validade", "Bitiş", "Bitiş tarihi"],
    ...["结束", "结束日期", "到期日", "結束", "結束日期"],
  ],
  fallbackUrl: [
    ...["Fallback", "Fallback link", "Fallback URL", "الرابط البديل", "Ersatzlink", "Ausweichlink"],
    ...["Enlace alternativo", "Lien de secours", "Link di riserva", "代替リンク", "Reservelink"],
    ...["Link zapasowy", "Link alternativo", "Yedek bağlantı", "备用链接", "備用連結"],
  ],
  dotsColor: [
    ...["Color", "Colour", "Code colour", "Code color", "اللون", "Farbe", "Couleur", "Colore", "色", "Kleur"],
    ...["Kolor", "Cor", "Renk", "颜色", "顏色"],
  ],
  backgroundColor: [
    ...[
      "Background",
      "Background color",
      "Background colour",
      "لون الخلفية",
      "Hintergrund",
      "Hintergrundfarbe",
    ],
    ...[
      "Fondo",
      "Color de fondo",
      "Fond",
      "Couleur de fond",
      "Sfondo",
      "背景色",
      "Achtergrond",
      "Tło",
      "Fundo",
    ],
    ...["Arka plan", "背景颜色", "背景顏色"],
  ],
  templateId: [
    ...[
      "Template",
      "Design",
      "القالب",
      "Vorlage",
      "Plantilla",
      "Modèle",
      "Modello",
      "テンプレート",
      "Sjabloon",
    ],
    ...["Szablon", "Modelo", "Şablon", "模板", "範本"],
  ],
  utmSource: ["UTM source", "utm_source", "Campaign source"],
  utmMedium: ["UTM medium", "utm_medium", "Campaign medium"],
  utmCampaign: ["UTM campaign", "utm_campaign"],
  utmTerm: ["UTM term", "utm_term"],
  utmContent: ["UTM content", "utm_content"],
  query: ["Extra parameters", "Query of scans", "Pass on query", "Query"],
  domain: [
    ...[
      "Domain",
      "Host",
      "Short domain",
      "Custom domain",
      "النطاق",
      "Domäne",
      "Dominio",
      "Domaine",
      "Dominio",
    ],
    ...["ドメイン", "Domein", "Domena", "Domínio", "Alan adı", "域名", "網域"],
  ],
  aliases: [
    ...["Aliases", "Also answers at", "Old links", "Old short links", "Previous links", "Other addresses"],
    ...["عناوين أخرى", "Aliasse", "Alte Links", "Alte Kurzlinks", "Enlaces antiguos", "Anciens liens"],
    ...[
      "Vecchi link",
      "古いリンク",
      "Oude links",
      "Stare linki",
      "Links antigos",
      "Eski bağlantılar",
      "旧链接",
      "舊連結",
    ],
  ],
};

/** Folds a name's case, accents, spaces and punctuation, so that different spellings match. */
const fold = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

const labelsByColumn = new Map(
  enteredFields.map(({ column, columnLabel }) => [column as CodeColumn, columnLabel]),
);

const columnsByName: ReadonlyMap<string, CodeColumn> = new Map(
  codeColumns.flatMap((column) =>
    // The names used by the API and exported files are recognised, too.
    [column, labelsByColumn.get(column) ?? column, ...(names[column] ?? [])].map(
      (name) => [fold(name), column] as const,
    ),
  ),
);

/** Returns the column that a whole name stands for. */
export const columnNamed = (name: string): CodeColumn | undefined => columnsByName.get(fold(name));

/**
 * Returns the column that a word of a name stands for, as in `Link (new)`, unless other words stand for other columns.
 */
export function columnWithWord(name: string): CodeColumn | undefined {
  const words = name.slice(0, 200).split(/[^\p{L}\p{N}\p{M}]+/u);
  const found = new Set(words.flatMap((word) => columnNamed(word) ?? []));
  return found.size === 1 ? [...found][0] : undefined;
}
