// Days as the visitor writes them, in the visitor's own time zone.

const { lang } = document.documentElement;
const days = new Intl.DateTimeFormat(lang, { dateStyle: "medium" });
for (const time of document.querySelectorAll("time")) time.textContent = days.format(new Date(time.dateTime));
